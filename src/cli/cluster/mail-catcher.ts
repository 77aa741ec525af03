import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

/** A mail server that delivers nothing. */
export interface MailCatcher {
  close(): Promise<void>;
}

/** Listens on a port of 127.0.0.1, and keeps each mail as an `.eml` file of a folder, which mail programs open. `onMail`: hears of each. */
export async function startMailCatcher(
  port: number,
  { folder, onMail }: { readonly folder: string; readonly onMail: (recipient: string, file: string) => void },
): Promise<MailCatcher> {
  const { SMTPServer } = await import('smtp-server');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let count = 0;
  const keep = async (mail: Buffer, recipient: string): Promise<void> => {
    const file = join(folder, `${String((count += 1)).padStart(4, '0')}.eml`);
    await writeFile(file, mail, { mode: 0o600 });
    onMail(recipient, file);
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, { envelope }, done) =>
      void buffer(stream)
        .then((mail) => keep(mail, envelope.rcptTo.map(({ address }) => address).join(', ')))
        .then(() => done(), done),
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', listening);
  });
  return { close: () => new Promise((closed) => server.close(closed)) };
}
