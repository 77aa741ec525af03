/** A field of a bench form, in a neutral language that is turned into definitions and into a hand-written form. */
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
  /** `documento`: the check digit of a Uruguayan document. */
  readonly rule?: 'documento';
  readonly message?: string;
}

/** A form by its size: A 13, B 50, C 300, D 1,000 fields. */
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

const registration: BenchForm = {
  id: 'A',
  title: 'Registro',
  fields: [
    {
      name: 'primerNombre',
      label: 'Primer nombre',
      type: 'text',
      required: true,
      pattern: letters,
      message: 'Solo letras',
    },
    { name: 'segundoNombre', label: 'Segundo nombre', type: 'text', pattern: letters, message: 'Solo letras' },
    {
      name: 'primerApellido',
      label: 'Primer apellido',
      type: 'text',
      required: true,
      pattern: letters,
      message: 'Solo letras',
    },
    { name: 'segundoApellido', label: 'Segundo apellido', type: 'text', pattern: letters, message: 'Solo letras' },
    { name: 'paisEmisor', label: 'País emisor', type: 'select', required: true, options: countries, default: 'uy' },
    {
      name: 'tipoDocumento',
      label: 'Tipo de documento',
      type: 'select',
      required: true,
      options: [
        { value: 'ci', label: 'Cédula' },
        { value: 'psp', label: 'Pasaporte' },
      ],
      default: 'ci',
    },
    {
      name: 'numeroDocumento',
      label: 'Número de documento',
      type: 'text',
      required: true,
      rule: 'documento',
      message: 'El documento no es válido.',
    },
    {
      name: 'email',
      label: 'Correo electrónico',
      type: 'email',
      required: true,
      pattern: address,
      message: 'Ingrese un email válido',
    },
    {
      name: 'repetirEmail',
      label: 'Repetir correo',
      type: 'email',
      required: true,
      sameAs: 'email',
      message: 'Los correos deben ser iguales',
    },
    {
      name: 'numeroTelefono',
      label: 'Teléfono',
      type: 'tel',
      pattern: '^[0-9 +]{6,20}$',
      message: 'Ingrese un teléfono válido',
    },
    {
      name: 'password',
      label: 'Contraseña',
      type: 'password',
      required: true,
      pattern: '^(?=.*[^0-9]).{8,128}$',
      message: 'Contraseña inválida',
    },
    {
      name: 'repetirPassword',
      label: 'Repetir contraseña',
      type: 'password',
      required: true,
      sameAs: 'password',
      message: 'Las contraseñas deben ser iguales',
    },
    {
      name: 'terminos',
      label: 'Acepto los términos',
      type: 'checkbox',
      required: true,
      mustBeTrue: true,
      message: 'Requerido',
    },
  ],
};

// Per ten: texts with a pattern, selects, boxes, and a text that a box shows.
function generate(id: string, size: number): BenchForm {
  const field = (index: number): BenchField => {
    const name = `f${index}`;
    const templates: readonly Omit<BenchField, 'name'>[] = [
      { label: `Nombre ${index}`, type: 'text', required: true, pattern: letters, message: 'Solo letras' },
      { label: `Correo ${index}`, type: 'email', required: true, pattern: address, message: 'Ingrese un email válido' },
      { label: `Opción ${index}`, type: 'select', required: true, options: choices },
      { label: `Tiene más ${index}`, type: 'checkbox' },
      {
        label: `Más ${index}`,
        type: 'text',
        required: true,
        pattern: '^[0-9]{1,10}$',
        message: 'Solo números',
        showIf: { field: `f${index - 1}`, equals: true },
      },
      { label: `Apellido ${index}`, type: 'text', required: true, pattern: letters, message: 'Solo letras' },
      { label: `Preferencia ${index}`, type: 'select', options: choices },
      { label: `Teléfono ${index}`, type: 'text', pattern: '^[0-9 +]{6,20}$', message: 'Ingrese un teléfono válido' },
      { label: `Acepto ${index}`, type: 'checkbox', required: true, mustBeTrue: true, message: 'Requerido' },
      {
        label: `Código ${index}`,
        type: 'text',
        required: true,
        pattern: '^[A-Z]{2}[0-9]{4}$',
        message: 'Dos letras y cuatro números',
      },
    ];
    return { name, ...(templates[index % 10] ?? { label: name, type: 'text' }) };
  };
  return { id, title: `Formulario ${id}`, fields: Array.from({ length: size }, (_, index) => field(index)) };
}

export const FORMS: Readonly<Record<string, BenchForm>> = {
  A: registration,
  B: generate('B', 50),
  C: generate('C', 300),
  D: generate('D', 1000),
};

const firstStep = ['paisEmisor', 'tipoDocumento', 'numeroDocumento'];

/** What pages of the portal ask for first, by their path. */
export const PAGE_FORMS: Readonly<Record<string, BenchForm>> = {
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
