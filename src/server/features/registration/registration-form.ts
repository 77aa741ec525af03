import type { Body } from '../../../contract/contract.ts';
import { readDocument, type Document } from '../../platform/base/document.ts';
import { readEmail } from '../../platform/base/read-text.ts';
import type { Person } from '../../trust/identity/registry/agree.ts';

/** The registration form as the backend uses it; its fields were checked by the screen's validator before. */
export interface RegistrationForm {
  readonly person: Person;
  readonly document: Document;
  readonly email: string;
  readonly phone: string | null;
  readonly password: string;
}

/** Reads the wire names of the form; the e-mail in its canonical form, names without outer and double blanks. */
export function readRegistration(form: Body<'registerCitizen'>): RegistrationForm {
  return {
    person: {
      firstName: name(form.primer_nombre),
      secondName: name(form.segundo_nombre),
      firstSurname: name(form.primer_apellido),
      secondSurname: name(form.segundo_apellido),
    },
    document: readDocument(form.pais_emisor, form.tipo_documento, form.numero_documento),
    email: readEmail(form.email),
    phone: (form.numero_telefono ?? '').trim() || null,
    password: form.password ?? '',
  };
}

function name(value = ''): string {
  return value.normalize('NFC').trim().replace(/\s+/g, ' ');
}
