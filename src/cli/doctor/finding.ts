/** Result of a check of `portal doctor`. `wrong` means that the server would not start or not work. */
export interface Finding {
  readonly kind: 'fine' | 'doubtful' | 'wrong';
  readonly text: string;
}

export const fine = (text: string): Finding => ({ kind: 'fine', text });
export const doubtful = (text: string): Finding => ({ kind: 'doubtful', text });
export const wrong = (text: string): Finding => ({ kind: 'wrong', text });
