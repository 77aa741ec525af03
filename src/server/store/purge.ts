import type { Logger } from 'pino';
import { after, type Clock } from '../clock.ts';
import type { Store } from './open-store.ts';

const day = 24 * 60 * 60;
const hourMs = 60 * 60 * 1000;

/** Deletes what nobody can use any more; links are kept a month longer, so that a late click still hears that it was used. */
async function purge(store: Store, now: Date): Promise<void> {
  await store.db.deleteFrom('link_tokens').where('expires_at', '<', after(now, -30 * day)).execute();
  await store.db.deleteFrom('challenges').where('expires_at', '<', now).execute();
  await store.db.deleteFrom('mailed_codes').where('expires_at', '<', now).execute();
  await store.db.deleteFrom('oidc_records').where('expires_at', '<', now).execute();
  await store.db.deleteFrom('captcha_replays').where('expires_at', '<', now).execute();
  await store.db.deleteFrom('broker_sessions').where('expires_at', '<', after(now, -day)).execute();
  await store.db.deleteFrom('throttle').where('since', '<', after(now, -day)).where('blocked_until', '<', now).execute();
  await store.db.deleteFrom('outbox').where('created_at', '<', after(now, -30 * day)).execute();
}

/** Purges at start and every hour; a failure is logged and tried again. */
export function startPurge(store: Store, clock: Clock, log: Logger): { close(): Promise<void> } {
  const run = () => purge(store, clock.now()).catch((error: unknown) => log.error({ err: error }, 'old rows could not be deleted'));
  let running = run();
  const timer = setInterval(() => {
    running = run();
  }, hourMs).unref();
  return {
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}
