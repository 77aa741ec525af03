/** Kind of bookable call: support, or a call that raises the assurance level of an account. */
export type Agenda = 'support' | 'elevation';
