import { mail } from '../../../platform/topics/mail.ts';

type CodeValues = Readonly<Record<'product' | 'name' | 'code' | 'expires', string>>;
/** Includes the placeholders of the notice's own sentence, if it has any. */
export type NoticeValues = Readonly<Record<'product' | 'name' | 'when' | 'support' | 'undo' | 'days', string>> &
  Readonly<Record<string, string>>;

export const mails = {
  code: mail<CodeValues>(import.meta.url, 'code', 'codes'),
  notice: mail<NoticeValues>(import.meta.url, 'notice'),
};
