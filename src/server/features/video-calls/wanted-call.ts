import type { Agenda } from '../../platform/base/agenda.ts';
import type { ExtraField } from '../../platform/base/operation-request.ts';
import type { Document } from '../../platform/base/document.ts';

/** A call that somebody wants. */
export interface WantedCall<Kind extends Agenda = Agenda> {
  readonly kind: Kind;
  /** YYYY-MM-DD and HH:mm:ss, in official time. */
  readonly date: string;
  readonly time: string;
  /** Null: nobody is signed in. */
  readonly citizenId: string | null;
  readonly document: Document;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly subject: string;
  readonly message: string;
  /** What analysts ask beyond it; absent: nothing. */
  readonly extra?: readonly ExtraField[];
}
