/** Kind of bookable call: a support call, or a call that raises the assurance level of an account. Each kind has its own agenda. */
export type CallKind = 'support' | 'elevation';
