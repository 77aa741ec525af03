/** What an application asked for when it sent a citizen to sign in. */
export interface Interaction {
  /** Name of the application, from its registration. */
  readonly clientName: string;
  /** Level that the session must reach, 0 to 3. */
  readonly requiredNid: number;
  /** Address of the broker where the browser goes on once the citizen is signed in. */
  readonly redirect: string;
  /** Whether the application was written for ID Uruguay and may drive the sign-in without a browser. */
  readonly legacy: boolean;
}

/** The requests of applications that wait for a sign-in, by their process_state; null: unknown or expired. */
export interface Interactions {
  find(processState: string): Promise<Interaction | null>;
}
