import { sampleProject, copyAsTranslation, type Files } from './project.ts';

const shared = Object.fromEntries(Object.entries(sampleProject).filter(([path]) => path.startsWith('schemas/_shared')));
const notices = {
  resumed: { intent: 'info', text: 'Seguís', link: { event: 'restart', text: 'De nuevo' } },
  refused: { intent: 'warning', text: 'Faltan {dropped}', link: { event: 'restart', text: 'De nuevo' } },
  taken: { intent: 'error', text: 'Ya hay una' },
};
const text = (more: object = {}) => ({ type: 'string', maxLength: 400, ...more });

/** Changes of the wizard's fields. `null` removes a field. */
export type FieldChanges = Readonly<Record<string, object | null>>;

function screen(id: string, fields: Readonly<Record<string, object>>, required: readonly string[], intro = ''): Files {
  const names = Object.keys(fields);
  const ui = {
    title: id,
    ...(intro === '' ? {} : { intro }),
    fields: Object.fromEntries(
      names.map((name) => [
        name,
        { 'ui:title': name.toUpperCase(), ...(name === 'own' ? { 'ui:readonly': true } : {}) },
      ]),
    ),
    actions: [
      { event: 'submit', text: 'Seguir', primary: true },
      { event: 'back', text: 'Volver' },
    ],
  };
  const pt = { ...copyAsTranslation(ui), actions: { submit: 'Continuar', back: 'Voltar' } };
  return {
    [`schemas/${id}/schema.json`]: {
      type: 'object',
      required: required.filter((name) => name in fields),
      properties: fields,
    },
    [`schemas/${id}/ui.json`]: ui,
    [`schemas/${id}/ui.pt.json`]: pt,
  };
}

/**
 * Flow of a wizard that saves its progress: contact, day and time, confirmation, the end, and a page outside the steps.
 */
export const savedBookingFlow = {
  id: 'main',
  initial: 'contact',
  context: { saved: ['who'] },
  progress: ['contact', 'time', 'confirm'],
  save: { days: 7, resumed: 'resumed', refused: 'refused', without: ['/serial'] },
  states: {
    contact: {
      path: '/contact',
      screen: 'contact',
      requires: { guard: { '!': { var: 'user.closed' } }, else: 'beside' },
      always: { guard: { var: 'user.booked' }, notice: 'taken' },
      prefill: { name: 'Lisa', own: 'Lisa' },
      on: { submit: { assign: { who: { var: 'form.name' }, plain: 'hidden' }, target: 'time' } },
    },
    time: { path: '/time', screen: 'time', on: { submit: 'confirm' } },
    confirm: {
      path: '/confirm',
      screen: 'confirm',
      on: {
        submit: {
          src: 'save',
          input: 'progress',
          onDone: { assign: { booked: true }, target: 'booked' },
          onError: { field: true },
        },
      },
    },
    booked: {
      path: '/booked',
      screen: 'booked',
      back: 'none',
      requires: { guard: { var: 'context.booked' }, else: 'contact' },
      on: { again: 'contact' },
    },
    beside: { path: '/beside', screen: 'beside', requires: { guard: true, else: 'contact' } },
  },
} as const;

/** Creates a project with the wizard that saves its progress. `changes` changes its fields. */
export function createSavedWizard(changes: FieldChanges = {}): Files {
  const changed = (fields: Readonly<Record<string, object>>) =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, field]) => {
        const change = changes[name];
        return change === null ? [] : [[name, { ...field, ...change }]];
      }),
    );
  const flow = structuredClone(savedBookingFlow) as { save: { without?: readonly string[] } };
  if (changes['serial'] === null) delete flow.save.without;
  return {
    ...shared,
    'schemas/_shared/notices.json': { $defs: notices },
    'schemas/_shared/notices.pt.json': {
      $defs: {
        resumed: { text: 'Continua', link: { text: 'De novo' } },
        refused: { text: 'Faltam {dropped}', link: { text: 'De novo' } },
        taken: { text: 'Já tem uma' },
      },
    },
    ...screen(
      'contact',
      changed({
        own: text(),
        name: text(),
        email: text({ pattern: '@' }),
        note: text(),
      }),
      ['name', 'email'],
    ),
    ...screen('time', changed({ day: text(), hour: text(), serial: text() }), ['day', 'hour', 'serial']),
    ...screen('confirm', { pin: text({ writeOnly: true }) }, [], 'Para {who}'),
    'schemas/booked/ui.json': { title: 'Reservado', actions: [{ event: 'again', text: 'Otra' }] },
    'schemas/booked/ui.pt.json': { title: 'Reservado', actions: { again: 'Outra' } },
    'schemas/beside/ui.json': { title: 'Al lado', links: [{ to: '/contact', text: 'Reservar' }] },
    'schemas/beside/ui.pt.json': { title: 'Ao lado', links: { '/contact': 'Reservar' } },
    'flows/main.json': flow,
  };
}

/** Screens with which the server validates the operation of the wizard. */
export const savedWizardForms = { save: ['contact', 'time', 'confirm'] };
