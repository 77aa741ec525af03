/** Tables of the digital wallet; see `federation/wallet`. */
export interface WalletTables {
  /** Requests by the hash of the id that a link or a code shows; each is fetched once and answered once. */
  wallet_requests: {
    hash: string;
    /** Hash of the id of the address that takes the answer, which who fetched the request knows alone. */
    response: string;
    /** Hash of the sign-in that waits for it. */
    challenge: string;
    /** Whether the wallet is in the browser's own device, to which it sends the citizen back. */
    here: boolean;
    nonce: string;
    /** The private key that the answer is encrypted for, a sealed JWK. */
    key: string;
    expires_at: Date;
    fetched_at: Date | null;
    answered_at: Date | null;
    /** Number of the document and level of its issuer, once a good answer came. */
    number: string | null;
    level: number | null;
    used_at: Date | null;
  };
}
