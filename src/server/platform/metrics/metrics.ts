export interface Metrics {
  /** A request was answered. `route` is the pattern of its path, which limits the number of labels. */
  answered(request: {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly seconds: number;
  }): void;
  refused(code: string): void;
  /** A change was committed under this action of the audit log. */
  audited(action: string): void;
  jobEnded(run: { readonly job: string; readonly failed: boolean; readonly seconds: number }): void;
}

/** Discards everything, for a server without METRICS_PORT. */
export const noMetrics: Metrics = { answered: () => {}, refused: () => {}, audited: () => {}, jobEnded: () => {} };
