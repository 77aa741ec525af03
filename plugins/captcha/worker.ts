import workerUrl from './solve.worker.ts?worker&url';

interface Policy {
  createScriptURL(url: string): string;
}

declare global {
  interface Window {
    /** Trusted Types, where the browser has them. */
    readonly trustedTypes?: {
      createPolicy(name: string, rules: { createScriptURL(url: string): string }): Policy;
    };
  }
}

let policy: Policy | undefined;

/** Starts the solver. Where the page demands Trusted Types, through the policy `portal-worker`, which knows this one address. */
export function startWorker(): Worker {
  return new Worker(trusted(workerUrl), { type: 'module' });
}

function trusted(url: string): string {
  policy ??= window.trustedTypes?.createPolicy('portal-worker', {
    createScriptURL: (asked) => {
      if (asked !== workerUrl) throw new TypeError(`No worker stands at ${asked}.`);
      return asked;
    },
  });
  return policy ? policy.createScriptURL(url) : url;
}
