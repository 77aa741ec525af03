export interface Metrics {
  /** Records a response. `route` is the pattern of the path, so that the number of label values is limited. */
  recordResponse(request: {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly seconds: number;
  }): void;
  recordRefusal(code: string): void;
  /** Counts a committed change by its action in the audit log. */
  audited(action: string): void;
  jobEnded(run: { readonly job: string; readonly failed: boolean; readonly seconds: number }): void;
}

/** Discards all metrics, for a server without METRICS_PORT. */
export const noopMetrics: Metrics = {
  recordResponse: () => {},
  recordRefusal: () => {},
  audited: () => {},
  jobEnded: () => {},
};
