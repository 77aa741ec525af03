import type { ResponseLog, Outcome } from './response-log.ts';

const patienceMs = 10_000;

/**
 * Creates a `fetch` for one client address that adds each request to the response log. It throws if there is no
 * response.
 */
export function createRecordingFetch(book: ResponseLog, address: string): typeof fetch {
  return async (input, init) => {
    const began = Date.now();
    let outcome: Outcome = 'unreachable';
    let said = '';
    try {
      const headers = new Headers(init?.headers);
      headers.set('x-forwarded-for', address);
      const response = await fetch(input, { ...init, headers, signal: AbortSignal.timeout(patienceMs) });
      said = await response.clone().text(); // throws for an incomplete response, which counts as no response
      outcome = outcomeOf(response.status);
      said = `${response.status} ${said.slice(0, 120)}`;
      if (outcome === 'refused' && !response.headers.has('retry-after')) book.find('error', `no Retry-After: ${said}`);
      return response;
    } catch (error) {
      said = String(error);
      throw error;
    } finally {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      book.requests.push({ began, ended: Date.now(), outcome, what: `${pathname}: ${said}` });
    }
  };
}

function outcomeOf(status: number): Outcome {
  if (status === 429 || status === 503) return 'refused';
  if (status === 502) return 'unreachable';
  return status >= 500 ? 'failed' : 'answered';
}
