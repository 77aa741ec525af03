import type { FastifyReply, FastifyRequest } from 'fastify';
import { OperationError } from '../../platform/base/errors.ts';
import { acceptedEncoding, encode, type Encoded } from '../../platform/http/encoding.ts';

/** Maximum number of compressed texts in memory. The oldest is evicted first. */
const keptTexts = 500;

/** Creates a handler for immutable files, which are compressed once. It responds with a 404 if `find` returns `null`. */
export function sendModules(
  find: (url: string) => Promise<string | null>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const kept = new Map<string, Promise<Encoded>>();
  const encoded = async (url: string, acceptEncoding: string | undefined): Promise<Encoded> => {
    const key = `${acceptedEncoding(acceptEncoding) ?? ''} ${url}`;
    const known = kept.get(key);
    if (known) return known;
    const source = await find(url);
    if (source === null) throw new OperationError(404, 'no_encontrado');
    const made = kept.get(key) ?? encode(source, acceptEncoding, 'once'); // a parallel request may have created it
    kept.set(key, made);
    const [oldest] = kept.keys();
    if (kept.size > keptTexts && oldest !== undefined) kept.delete(oldest);
    return made;
  };
  return async (request, reply) => {
    const url = request.url.split('?', 1)[0] ?? '';
    const { body, encoding } = await encoded(url, request.headers['accept-encoding']);
    if (encoding) reply.header('content-encoding', encoding);
    return reply
      .headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' })
      .type(`text/${url.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`)
      .send(body);
  };
}
