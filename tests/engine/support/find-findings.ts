import type { LintOptions } from '../../../src/engine/compiler/lint/lint-options.ts';
import type { DefinitionProblem } from '../../../src/engine/compiler/definitions.ts';
import { loadProject, type Files } from './project.ts';

export const samplePaths = {
  schema: 'schemas/form/schema.json',
  ui: 'schemas/form/ui.json',
  pt: 'schemas/form/ui.pt.json',
  flow: 'flows/main.json',
} as const;

// oxlint-disable-next-line typescript/no-explicit-any -- tests change parsed JSON files at any position
export type Changes = Readonly<Record<string, (content: any) => void>>;

/** Checker options for small projects. */
export const contract: LintOptions = {
  operations: {
    save: {
      params: [],
      query: [],
      isPost: true,
      screens: ['form'],
      answer: {
        type: 'object',
        required: ['id', 'state', 'more'],
        properties: {
          id: { type: 'string' },
          email: { type: 'string' },
          state: { enum: ['new', 'old'] },
          more: { type: 'object', additionalProperties: true },
        },
        additionalProperties: false,
      },
      allowsAnonymous: true,
      errors: ['again', 'taken'],
    },
    list: {
      params: ['id'],
      query: ['page'],
      isPost: false,
      screens: [],
      answer: {
        type: 'object',
        properties: { items: { type: 'array', items: { type: 'string' } } },
        additionalProperties: false,
      },
      allowsAnonymous: false,
      permissions: [
        ['calls', 'create'],
        ['calls', 'view'],
      ],
      errors: [],
    },
  },
  commonErrors: ['offline'],
  blocks: { panel: { shows: ['actions'], reads: ['email'], events: ['own', 'other'] } },
  wording: {
    es: {
      longest: 12,
      plain: { token: '', tokens: '', backend: 'servidor', '¿como': '¿cómo' },
      voice: { puedes: 'podés', debes: 'tenés que', ingrese: 'ingresá', 'su contraseña': 'tu contraseña' },
      orders: { haga: 'hacé', hable: 'hablá' },
      names: [
        { use: 'vínculo', not: { link: 'vínculo', links: 'vínculos', 'enlaz*': '' } },
        { use: 'número', not: { cifra: 'número' }, except: ['cifra de control'] },
      ],
      blame: { 'te equivocaste': '', 'inválid*': '' },
      advice: ['probá', 'elegí'],
      asking: { cuál: ['elegí'] },
      quoted: ['el token que dice la ley', 'Ingrese su contraseña', 'Conocer tu(s)', 'No se pudo.'],
    },
    pt: {
      longest: 12,
      plain: { 'token*': '' },
      voice: {},
      names: [],
      blame: {},
      advice: ['de novo'],
      terms: { correo: 'e-mail', documento: 'documento' },
      quoted: [],
    },
  },
  factsByAccess: { citizen: { authenticated: true } },
  signedIn: ['authenticated', 'user.id'],
  changeableFacts: ['user', 'authenticated'],
};

/** Returns all diagnostics of a small project, including warnings. */
export async function findFindings(
  files: Files,
  { language = 'es', ...more }: Partial<LintOptions> & { language?: string } = {},
): Promise<readonly DefinitionProblem[]> {
  const { definitions, problems } = await loadProject(files, { language, analysis: { ...contract, ...more } });
  return definitions ? definitions.findings : problems;
}
