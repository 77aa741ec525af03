import type { Files } from '../support/project.ts';
import { createObjectSchema, text, createTitledFields } from './sample-types.ts';

const next = [
  { event: 'submit', text: 'Seguir', primary: true },
  { event: 'back', text: 'Volver' },
];
const isCompany = { '==': [{ var: 'form.who' }, 'empresa'] };
const send = { src: 'save', input: 'progress', onDone: 'done', onError: { field: true } } as const;

const screens: Files = {
  'schemas/who/schema.json': createObjectSchema({ who: { type: 'string', enum: ['persona', 'empresa'] } }, ['who']),
  'schemas/who/ui.json': {
    title: 'Quién pide',
    fields: createTitledFields(
      { who: 'Quién' },
      { who: { 'ui:widget': 'radio', 'ui:enumNames': ['Una persona', 'Una empresa'] } },
    ),
    actions: next.slice(0, 1),
  },
  'schemas/company/schema.json': createObjectSchema({ company: text }, ['company']),
  'schemas/company/ui.json': { title: 'La empresa', fields: createTitledFields({ company: 'Empresa' }), actions: next },
  'schemas/contact/schema.json': {
    ...createObjectSchema({ name: text, role: text }, ['name', 'role']),
    earlier: ['who'],
  },
  'schemas/contact/ui.json': {
    title: 'El contacto',
    fields: createTitledFields({ name: 'Nombre', role: 'Cargo' }),
    visible: { role: isCompany },
    actions: next,
  },
  'schemas/done/ui.json': { title: 'Listo' },
};

const who = {
  path: '/who',
  screen: 'who',
  on: { submit: [{ guard: isCompany, target: 'company' }, { target: 'contact' }] },
} as const;

const flow = {
  id: 'main',
  initial: 'who',
  progress: ['who', { state: 'company', guard: isCompany }, 'contact'],
  states: {
    who,
    company: { path: '/company', screen: 'company', on: { submit: 'contact' } },
    contact: { path: '/contact', screen: 'contact', on: { submit: send } },
    done: { screen: 'done', type: 'final' },
  },
} as const;

/** A form whose choice selects the next step and shows a field of a later step. */
export const stepsSample = {
  of: 'GOV.UK Design System',
  name: 'Steps by an answer',
  note: 'a `guard` of the step reads the answer; `earlier` in a screen whose rules read it',
  files: { ...screens, 'flows/main.json': flow },
} as const;
