import { sampleProject, type Files } from './project.ts';
import { listTexts } from './list-form.ts';
import type { Sample, SampleForm } from '../samples/sample-types.ts';

export const messages = {
  ...(sampleProject['schemas/_shared/messages.json'] as object),
  ...listTexts,
  maximum: 'Hasta {limit}',
  exclusiveMaximum: 'Menos de {limit}',
  multipleOf: 'De {multipleOf} en {multipleOf}',
  noCopy: 'No se copia',
  'options.none': 'No hay opciones',
  'options.gone': 'Ya no está',
  yes: 'Sí',
  no: 'No',
  alternatives: 'Opciones',
};

/** Creates the files of a project with one screen. */
export function createFormFiles({ schema = {}, ui = {}, prefill, shared }: Partial<SampleForm>): Files {
  return {
    'schemas/_shared/messages.json': messages,
    ...(shared && { 'schemas/_shared/person.json': { $defs: shared } }),
    'schemas/sample/schema.json': schema,
    'schemas/sample/ui.json': {
      title: 'Formulario',
      ...ui,
      ...(!hasSubmitText(ui) && { actions: [{ event: 'submit', text: 'Enviar', primary: true }] }),
    },
    'schemas/done/ui.json': { title: 'Listo' },
    'flows/main.json': {
      id: 'main',
      initial: 'form',
      states: {
        form: { path: '/form', screen: 'sample', ...(prefill && { prefill }), on: { submit: 'done' } },
        done: { screen: 'done', type: 'final' },
      },
    },
  };
}

function hasSubmitText({ fields = {} }: { readonly fields?: object }): boolean {
  return JSON.stringify(fields).includes('"ui:submitButtonOptions":{"submitText":"Enviar"}');
}

/** Formats the table in samples/README.md with the outcome of each sample. */
export function formatSamplesTable(
  samples: readonly (Pick<Sample, 'name' | 'note'> & { readonly refused?: object })[],
): string {
  const rows = samples.map(({ name, note, refused }) => `| ${name} | ${refused ? 'rejected' : 'rendered'} | ${note} |`);
  return ['| sample | result | notes, or a replacement |', '| --- | --- | --- |', ...rows].join('\n');
}
