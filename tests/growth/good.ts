import { reply } from '../chaos/attempts.ts';

/** The body of an answer that says yes; throws what any other says. */
export async function good(answered: Promise<Response>): Promise<Readonly<Record<string, unknown>>> {
  const response = await answered;
  const { status, body } = await reply(Promise.resolve(response));
  if (status >= 300) throw new Error(`${response.url}: ${status} ${JSON.stringify(body)}`);
  return body;
}
