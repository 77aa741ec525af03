import type { Values } from '../../engine/core/json.ts';
import { text } from '../base/read-text.ts';
import { readDocument, type Document } from '../base/document.ts';
import type { Person } from '../identity/registry/agree.ts';

/** The registration form as the backend uses it; its fields were checked by the screen's validator before. */
export interface RegistrationForm {
  readonly person: Person;
  readonly document: Document;
  readonly email: string;
  readonly phone: string | null;
  readonly password: string;
  readonly captcha: string;
}

/** Reads the wire names of the form; the e-mail in lower case, names without outer and double blanks. */
export function readRegistration(values: Values): RegistrationForm {
  return {
    person: {
      firstName: name(values['primer_nombre']),
      secondName: name(values['segundo_nombre']),
      firstSurname: name(values['primer_apellido']),
      secondSurname: name(values['segundo_apellido']),
    },
    document: readDocument(values['pais_emisor'], values['tipo_documento'], values['numero_documento']),
    email: text(values['email']).trim().toLowerCase(),
    phone: text(values['numero_telefono']).trim() || null,
    password: text(values['password']),
    captcha: text(values['captcha_response']),
  };
}

function name(value: unknown): string {
  return text(value).normalize('NFC').trim().replace(/\s+/g, ' ');
}
