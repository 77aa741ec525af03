/** Time limit for answering a presentation request, and again for using its result, in seconds. */
export const walletLifeS = 180;

/** Id of the credential in the request, and the requested claim: the number of the national document. */
export const credentialId = 'identidad';
export const numberClaim = 'personal_administrative_number';

/** The only accepted credential format and signature algorithm. */
export const credentialFormat = 'dc+sd-jwt';
export const signatureAlgorithm = 'ES256';

/** A rejected presentation. The message is for the log: the wallet gets no reason. */
export class WalletError extends Error {}
