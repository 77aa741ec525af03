import { mail } from '../../../platform/topics/mail.ts';

type MessageValues = Readonly<
  Record<
    'product' | 'subject' | 'number' | 'due' | 'when' | 'name' | 'document' | 'email' | 'phone' | 'account' | 'message',
    string
  >
>;

export const mails = {
  'contact-message': mail<MessageValues>(import.meta.url, 'contact-message'),
  'contact-received': mail<Readonly<Record<'product' | 'subject' | 'number' | 'due' | 'when' | 'support', string>>>(
    import.meta.url,
    'contact-received',
    'desk',
  ),
  'contact-answer': mail<Readonly<Record<'product' | 'subject' | 'answer' | 'support', string>>>(
    import.meta.url,
    'contact-answer',
    'desk',
  ),
};
