import type { Body } from '../../../contract/contract.ts';
import { readDocument, type Document } from '../../platform/base/document.ts';
import { readEmail } from '../../platform/base/read-text.ts';
import type { Person } from '../../trust/identity/registry/agree.ts';

/** Parsed registration form. The screen's validator has already checked its fields. */
export interface RegistrationForm {
  readonly person: Person;
  readonly document: Document;
  readonly email: string;
  readonly phone: string | null;
  readonly password: string;
}

/** Parses the form. Normalizes the e-mail address and the spaces in names. */
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
