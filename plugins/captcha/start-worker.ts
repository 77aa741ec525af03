import workerUrl from './solve.worker.ts?worker&url';

interface Policy {
  createScriptURL(url: string): string;
}

declare global {
  interface Window {
    readonly trustedTypes?: {
      createPolicy(name: string, rules: { createScriptURL(url: string): string }): Policy;
    };
  }
}

let trustedTypesPolicy: Policy | undefined;

/** Starts the worker that solves captchas. Under Trusted Types, the policy `portal-worker` creates the worker's URL and rejects every other URL. */
export function startCaptchaWorker(): Worker {
  return new Worker(toTrustedUrl(workerUrl), { type: 'module' });
}

function toTrustedUrl(url: string): string {
  trustedTypesPolicy ??= window.trustedTypes?.createPolicy('portal-worker', {
    createScriptURL: (asked) => {
      if (asked !== workerUrl) throw new TypeError(`No worker stands at ${asked}.`);
      return asked;
    },
  });
  return trustedTypesPolicy ? trustedTypesPolicy.createScriptURL(url) : url;
}
