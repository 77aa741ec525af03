import type { Agenda } from '../../platform/base/agenda.ts';
import type { ExtraField } from '../../platform/base/operation-request.ts';
import type { Document } from '../../platform/base/document.ts';

export interface WantedCall<Kind extends Agenda = Agenda> {
  readonly kind: Kind;
  /** Date (YYYY-MM-DD) and time (HH:mm:ss), in official time. */
  readonly date: string;
  readonly time: string;
  /** `null` without a session. */
  readonly citizenId: string | null;
  readonly document: Document;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly subject: string;
  readonly message: string;
  /** Additional fields of the form. Absent if there are none. */
  readonly extra?: readonly ExtraField[];
}
