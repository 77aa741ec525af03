import { sampleProject, copyAsTranslation, type Files } from './project.ts';

const text = (title: string, more: object = {}) => ({ type: 'string', title, maxLength: 40, ...more });

/** Creates the files of a screen with required text fields, and of its Portuguese translation. */
function screen(id: string, step: string, fields: Readonly<Record<string, object>>): Files {
  const names = Object.keys(fields);
  const labels = Object.fromEntries(names.map((name) => [name, { 'ui:title': name.toUpperCase() }]));
  const actions = [
    { event: names.length > 0 ? 'submit' : 'confirm', text: 'Seguir', primary: true },
    { event: 'back', text: 'Volver' },
  ];
  const ui = { title: step, ...(names.length > 0 ? { fields: labels } : {}), actions };
  return {
    ...(names.length > 0
      ? { [`schemas/${id}/schema.json`]: { type: 'object', required: names, properties: fields } }
      : {}),
    [`schemas/${id}/ui.json`]: ui,
    [`schemas/${id}/ui.pt.json`]: { ...copyAsTranslation(ui), title: `${step} (pt)` },
  };
}

const shared = Object.fromEntries(Object.entries(sampleProject).filter(([path]) => path.startsWith('schemas/_shared')));

/** Flow of the wizard: contact, phone if a flag is set, day and time, confirmation, end. */
export const bookingFlow = {
  id: 'main',
  initial: 'contact',
  context: { history: ['name'] },
  progress: [{ state: 'contact', bar: false }, { state: 'phone', guard: { var: 'flags.on' } }, 'time', 'confirm'],
  states: {
    contact: {
      path: '/contact',
      screen: 'contact',
      prefill: { name: { var: 'context.name' } },
      on: {
        submit: [
          { guard: { var: 'flags.on' }, assign: { name: { var: 'form.name' } }, target: 'phone' },
          { assign: { name: { var: 'form.name' } }, target: 'time' },
        ],
      },
    },
    phone: { path: '/phone', screen: 'phone', on: { submit: 'time' } },
    time: { path: '/time', screen: 'time', on: { submit: 'confirm' } },
    confirm: {
      path: '/confirm',
      screen: 'confirm',
      on: {
        confirm: {
          src: 'save',
          input: 'progress',
          onDone: { assign: { booked: true }, target: 'booked' },
          onError: [
            { guard: { '==': [{ var: 'error.code' }, 'taken'] }, clear: ['/hour'], field: true, target: 'time' },
            { field: true },
          ],
        },
      },
    },
    booked: {
      path: '/booked',
      screen: 'booked',
      type: 'final',
      back: 'none',
      requires: { guard: { var: 'context.booked' }, else: 'contact' },
    },
  },
} as const;

export const wizardFiles: Files = {
  ...shared,
  ...screen('contact', 'Contacto', { name: text('Nombre'), email: text('Correo', { pattern: '@' }) }),
  ...screen('phone', 'Teléfono', { phone: text('Teléfono') }),
  ...screen('time', 'Día y hora', { day: text('Día'), hour: text('Hora') }),
  ...screen('confirm', 'Confirmar', {}),
  'schemas/booked/ui.json': { title: 'Reservado', links: [{ to: '/contact', text: 'Otra vez' }] },
  'schemas/booked/ui.pt.json': { title: 'Reservado', links: { '/contact': 'De novo' } },
  'flows/main.json': bookingFlow,
};

/** Screens with which the server validates the operation of the wizard. */
export const forms = { save: ['contact', 'phone', 'time'] };
