/** A field of a bench form, in a neutral format. Definitions and hand-written forms are generated from it. */
export interface BenchField {
  readonly name: string;
  readonly label: string;
  readonly type: 'text' | 'email' | 'tel' | 'password' | 'select' | 'checkbox';
  readonly required?: boolean;
  /** Source of an anchored regular expression. */
  readonly pattern?: string;
  readonly options?: readonly { readonly value: string; readonly label: string }[];
  readonly default?: string;
  readonly mustBeTrue?: boolean;
  readonly showIf?: { readonly field: string; readonly equals: true };
  readonly sameAs?: string;
  /** Name of a validation rule. `documento` validates the check digit of a Uruguayan document. */
  readonly rule?: 'documento';
  readonly message?: string;
}

/** A bench form. Its id stands for its size: A has 13 fields, B 50, C 300 and D 1,000. */
export interface BenchForm {
  readonly id: string;
  readonly title: string;
  readonly fields: readonly BenchField[];
}

const letters = "^[\\p{L}' -]{1,100}$";
const address = '^[^@ ]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,16}$';
const choices = ['Uno', 'Dos', 'Tres', 'Cuatro', 'Cinco'].map((label, index) => ({ value: `o${index + 1}`, label }));
const countries = Array.from({ length: 40 }, (_, index) => ({
  value: index === 0 ? 'uy' : `p${index}`,
  label: `País ${index + 1}`,
}));

function createField(name: string, label: string, more: Partial<BenchField> = {}): BenchField {
  return { name, label, type: 'text', ...more };
}

const required = true;
const word = { pattern: letters, message: 'Solo letras' };
const same = { required, message: 'Los datos deben ser iguales' };
const documentTypes = [
  { value: 'ci', label: 'Cédula' },
  { value: 'psp', label: 'Pasaporte' },
];

const registration: BenchForm = {
  id: 'A',
  title: 'Registro',
  fields: [
    createField('primerNombre', 'Primer nombre', { required, ...word }),
    createField('segundoNombre', 'Segundo nombre', word),
    createField('primerApellido', 'Primer apellido', { required, ...word }),
    createField('segundoApellido', 'Segundo apellido', word),
    createField('paisEmisor', 'País emisor', { type: 'select', required, options: countries, default: 'uy' }),
    createField('tipoDocumento', 'Tipo de documento', {
      type: 'select',
      required,
      options: documentTypes,
      default: 'ci',
    }),
    createField('numeroDocumento', 'Número de documento', {
      required,
      rule: 'documento',
      message: 'El documento no es válido.',
    }),
    createField('email', 'Correo electrónico', {
      type: 'email',
      required,
      pattern: address,
      message: 'Ingrese un email válido',
    }),
    createField('repetirEmail', 'Repetir correo', { type: 'email', sameAs: 'email', ...same }),
    createField('numeroTelefono', 'Teléfono', {
      type: 'tel',
      pattern: '^[0-9 +]{6,20}$',
      message: 'Ingrese un teléfono válido',
    }),
    createField('password', 'Contraseña', {
      type: 'password',
      required,
      pattern: '^(?=.*[^0-9]).{8,128}$',
      message: 'Contraseña inválida',
    }),
    createField('repetirPassword', 'Repetir contraseña', { type: 'password', sameAs: 'password', ...same }),
    createField('terminos', 'Acepto los términos', {
      type: 'checkbox',
      required,
      mustBeTrue: true,
      message: 'Requerido',
    }),
  ],
};

/**
 * Generates a form. Of ten fields, four are texts with a pattern, two are selects, three are checkboxes, and one is a
 * text that depends on a checkbox.
 */
function generateForm(id: string, size: number): BenchForm {
  const kinds: readonly ((name: string, index: number) => BenchField)[] = [
    (name, index) => createField(name, `Nombre ${index}`, { required, ...word }),
    (name, index) =>
      createField(name, `Correo ${index}`, {
        type: 'email',
        required,
        pattern: address,
        message: 'Ingrese un email válido',
      }),
    (name, index) => createField(name, `Opción ${index}`, { type: 'select', required, options: choices }),
    (name, index) => createField(name, `Tiene más ${index}`, { type: 'checkbox' }),
    (name, index) =>
      createField(name, `Más ${index}`, {
        required,
        pattern: '^[0-9]{1,10}$',
        message: 'Solo números',
        showIf: { field: `f${index - 1}`, equals: true },
      }),
    (name, index) => createField(name, `Apellido ${index}`, { required, ...word }),
    (name, index) => createField(name, `Preferencia ${index}`, { type: 'select', options: choices }),
    (name, index) =>
      createField(name, `Teléfono ${index}`, { pattern: '^[0-9 +]{6,20}$', message: 'Ingrese un teléfono válido' }),
    (name, index) =>
      createField(name, `Acepto ${index}`, { type: 'checkbox', required, mustBeTrue: true, message: 'Requerido' }),
    (name, index) =>
      createField(name, `Código ${index}`, {
        required,
        pattern: '^[A-Z]{2}[0-9]{4}$',
        message: 'Dos letras y cuatro números',
      }),
  ];
  const make = (index: number) => kinds[index % 10]?.(`f${index}`, index) ?? createField(`f${index}`, `${index}`);
  return { id, title: `Formulario ${id}`, fields: Array.from({ length: size }, (_, index) => make(index)) };
}

export const FORMS: Readonly<Record<string, BenchForm>> = {
  A: registration,
  B: generateForm('B', 50),
  C: generateForm('C', 300),
  D: generateForm('D', 1000),
};

const firstStep = ['paisEmisor', 'tipoDocumento', 'numeroDocumento'];

/** Initial forms of the portal's pages, by path. */
export const pageForms: Readonly<Record<string, BenchForm>> = {
  '/login': {
    id: 'login',
    title: 'Iniciá sesión',
    fields: registration.fields.filter(({ name }) => name === 'numeroDocumento'),
  },
  '/registro': {
    id: 'registro',
    title: 'Registrate',
    fields: registration.fields.filter(({ name }) => firstStep.includes(name)),
  },
};
