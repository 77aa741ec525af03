export interface Metrics {
  /** A request was answered. `route`: the pattern of its address, so that there are few. */
  answered(request: {
    readonly method: string;
    readonly route: string;
    readonly status: number;
    readonly seconds: number;
  }): void;
  /** An operation was refused or failed, with this code. */
  refused(code: string): void;
  /** A change was committed that the audit log names so. */
  audited(action: string): void;
  jobEnded(run: { readonly job: string; readonly failed: boolean; readonly seconds: number }): void;
}

/** Counts nothing: nobody asks. */
export const noMetrics: Metrics = { answered: () => {}, refused: () => {}, audited: () => {}, jobEnded: () => {} };
