/** Tables of the identity card; see `federation/card`. */
export interface CardTables {
  /** By the hash of the ticket that a browser brings to the card's listener, once. */
  card_tickets: {
    hash: string;
    /** Hash of the sign-in that waits for it. */
    challenge: string;
    /** The number of the document, once a good card was shown. */
    number: string | null;
    expires_at: Date;
    taken_at: Date | null;
    used_at: Date | null;
  };
}
