/** Kind of bookable call: a support call, or a call that raises the assurance level of an account. */
export type CallKind = 'support' | 'elevation';
