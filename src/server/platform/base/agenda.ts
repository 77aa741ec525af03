/** What is booked: a call of the support, or one that raises the level of an account. */
export type Agenda = 'support' | 'elevation';
