/** How long a request to a wallet can be answered, and what it told be used, in seconds. */
export const walletLifeS = 180;

/** The credential as the request calls it, and the claim that is asked for: the number of the national document. */
export const credentialId = 'identidad';
export const numberClaim = 'personal_administrative_number';

/** The form of credentials that is read, and the one signature algorithm. */
export const credentialFormat = 'dc+sd-jwt';
export const signatureAlgorithm = 'ES256';

/** An answer that is not believed; its message is for the log, wallets hear no reason. */
export class WalletError extends Error {}
