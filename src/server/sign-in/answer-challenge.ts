import { levelOf } from '../identity/citizen-answer.ts';
import { maskEmail } from '../identity/mask-email.ts';
import type { CallRequest, Handler, Reply } from '../base/call.ts';
import { after } from '../base/clock.ts';
import { CallError } from '../base/errors.ts';
import { findCitizen, fullName, type Citizen } from '../identity/citizens.ts';
import type { Store, Tx } from '../database/open-store.ts';
import { activeFactors, hasCode, isActive, type ActiveFactors } from '../credentials/second-factors.ts';
import {
  advanceChallenge,
  challengeLifeS,
  expired,
  factorsOf,
  findChallenge,
  rewindChallenge,
  tryChallenge,
  type ChallengeRecord,
} from '../sessions/challenge-record.ts';
import { proveInstitutionalEmail } from './challenges/institutional-email.ts';
import { challengeNames } from '../identity/names.ts';
import { nextStep } from './challenges/next-step.ts';
import { passkeyOptions, provePasskey, provePasskeySignIn, startPasskeySignIn } from './challenges/passkey.ts';
import { provePassword } from './challenges/password.ts';
import type { ChallengeNeeds, Proof, Prove } from './challenges/proof.ts';
import { isForAgent, mailboxOf, mailStepCode, proveRecoveryCode } from './challenges/recovery-code.ts';
import { proveTotp } from './challenges/totp.ts';
import { answerUsername } from './challenges/username.ts';
import type { Interactions } from './interactions.ts';
import { signIn, wayOn, type SignInNeeds } from './sign-in.ts';

type Request = CallRequest<'answerChallenge'>;
type Answer = Reply<'answerChallenge'>;

/** What a sign-in works with. */
export interface AnswerNeeds extends ChallengeNeeds, SignInNeeds {
  readonly interactions: Interactions;
}

/** Who proves which challenge; their order stands in challenges/next-step.ts. The client's step name is a request, never a fact. */
const provers: Readonly<Record<string, Prove>> = {
  [challengeNames.password]: provePassword,
  [challengeNames.institutionalEmail]: proveInstitutionalEmail,
  [challengeNames.totp]: proveTotp,
  [challengeNames.recoveryCode]: proveRecoveryCode,
  [challengeNames.passkey]: provePasskey,
  [challengeNames.passkeySignIn]: provePasskeySignIn,
};

/** Answers one sign-in challenge: the next one, or the session of who answered all of them. */
export function answerChallenge(needs: AnswerNeeds): Handler<'answerChallenge'> {
  return async (request) => {
    if (request.body.challenge === challengeNames.username) return start(needs, request);
    if (request.body.challenge === challengeNames.passkeySignIn && !request.body.token)
      return startWithPasskey(needs, request);
    const challenge = await askedChallenge(needs, request);
    const prove = Object.hasOwn(provers, challenge) ? provers[challenge] : undefined;
    if (!prove) throw new CallError(400, 'paso_desconocido', { field: 'challenge' });
    if (goesBack(request.body))
      await rewindChallenge(needs.store, challenge, request.body.token, request.cookies.challenge, needs.clock.now());
    const record = await tryChallenge(
      needs.store,
      challenge,
      request.body.token,
      request.cookies.challenge,
      needs.clock.now(),
    );
    return advance(needs, request, record, await prove(needs, request, record));
  };
}

/**
 * Two answers come under the name of another step than the one that waits: the wish for a mailed code as the password step
 * again (section 4.5), and a recovery code as the app's step where a code by e-mail or a passkey is the second factor.
 */
async function askedChallenge({ store, clock }: AnswerNeeds, { body }: Request): Promise<string> {
  const { challenge, data_challenge, token } = body;
  const meant =
    challenge === challengeNames.password && data_challenge['emailTOTP'] === true
      ? [challengeNames.totp]
      : challenge === challengeNames.totp && 'recovery' in data_challenge
        ? [challengeNames.recoveryCode, challengeNames.passkey]
        : [];
  for (const step of meant) if (await findChallenge(store, step, token ?? '', clock.now())) return step;
  return challenge;
}

/** The password itself, and no wish under its name: who went back in the sign-in proves it anew. */
function goesBack({ challenge, data_challenge: data }: Request['body']): boolean {
  return challenge === challengeNames.password && 'password' in data && data['emailTOTP'] !== true;
}

async function start(needs: AnswerNeeds, request: Request): Promise<Answer> {
  const { token, browser } = await answerUsername(needs, request, challengeNames.password);
  return {
    body: {
      challenge: challengeNames.password,
      token,
      expires_at: after(needs.clock.now(), challengeLifeS).toISOString(),
    },
    cookies: { challenge: { value: browser, maxAge: challengeLifeS } },
  };
}

async function startWithPasskey(needs: AnswerNeeds, request: Request): Promise<Answer> {
  const { token, browser, options } = await startPasskeySignIn(needs, request);
  return {
    body: {
      challenge: challengeNames.passkeySignIn,
      token,
      options,
      expires_at: after(needs.clock.now(), challengeLifeS).toISOString(),
    },
    cookies: { challenge: { value: browser, maxAge: challengeLifeS } },
  };
}

/** Moves the sign-in on, or ends it with a session. What stands in the way of an account is told after its password only. */
async function advance(needs: AnswerNeeds, request: Request, record: ChallengeRecord, proof: Proof): Promise<Answer> {
  const { commands, store, clock, throttle, config, interactions, vault } = needs;
  const proven = withProof(record, proof);
  const interaction = record.process_state === null ? null : await interactions.find(record.process_state);
  const wish = {
    byMail: proof.byMail === true,
    otherMethod: proof.otherMethod === true || interaction?.legacy === true,
  };
  const { step: expectedStep } = await stepAfter(store.db, proven, wish);
  const mails = expectedStep === challengeNames.recoveryCode;
  if (mails)
    await throttle.admit('mailedCode', { address: request.origin.address, document: proven.document }, clock.now());
  const outcome = await commands.run(request.origin, async (command) => {
    const { tx } = command;
    const citizen = await findCitizen(tx, proven.citizen_id ?? '');
    if (citizen === null) throw expired();
    await proof.settle(tx);
    const obstacle = obstacleOf(citizen);
    if (obstacle) {
      await command.audit('sign-in-refused', citizen.id, { reason: obstacle.code });
      return { obstacle };
    }
    const { step, active } = await stepAfter(tx, proven, wish);
    if (step === null) return { citizen, active, signedIn: await signIn(command, needs, request, proven, citizen) };
    const next = { ...proven, step };
    await advanceChallenge(tx, record, next);
    if (step === challengeNames.recoveryCode) {
      if (!mails) throw expired(); // the account changed under way, and the mail was not counted
      await mailStepCode(command, vault, next, citizen);
    }
    return {
      citizen,
      next,
      passkey: step === challengeNames.passkey ? await passkeyStep(tx, needs, record, active) : {},
    };
  });
  if (outcome.obstacle) throw outcome.obstacle;
  const { citizen, next, passkey, signedIn, active } = outcome;
  if (next) {
    return {
      body: {
        ...personOf(citizen),
        challenge: next.step,
        token: request.body.token ?? null,
        expires_at: record.expires_at.toISOString(),
        ...codeStep(next, citizen),
        ...passkey,
      },
    };
  }
  await throttle.forgive('challenge', { address: request.origin.address });
  const way = wayOn(config, { record: proven, citizen, interaction, hasFactor: isActive(active) });
  return {
    // the screens of what is lacking are shown inside of the sign-in, whose token is spent by now
    body: { ...personOf(citizen), token: way.challenge === null ? null : (request.body.token ?? null), ...way },
    cookies: signedIn.cookies,
    after: signedIn.after,
  };
}

function withProof(record: ChallengeRecord, { factor, institutionalEmail, asAgent, citizen }: Proof): ChallengeRecord {
  return {
    ...record,
    citizen_id: citizen?.id ?? record.citizen_id,
    document: citizen?.document ?? record.document,
    factors: [...factorsOf(record), ...(factor === null ? [] : [factor])].join(' '),
    institutional_email: institutionalEmail ?? record.institutional_email,
    agent: asAgent ? '1' : record.agent,
  };
}

async function stepAfter(
  db: Store['db'] | Tx,
  record: ChallengeRecord,
  wish: { byMail: boolean; otherMethod: boolean },
): Promise<{ step: string | null; active: ActiveFactors }> {
  const active = await activeFactors(db, record.citizen_id ?? '');
  return { step: nextStep({ record, active, ...wish }), active };
}

/** What the browser needs to use a passkey, and whether another method is set up. */
async function passkeyStep(
  tx: Tx,
  needs: AnswerNeeds,
  { hash }: ChallengeRecord,
  active: ActiveFactors,
): Promise<Pick<Answer['body'], 'options' | 'other'>> {
  return {
    options: await passkeyOptions(tx, needs, { owner: hash, allowed: active.passkeys }),
    other: hasCode(active),
  };
}

/** A code that the citizen did not choose as a second factor is forced. */
function codeStep(record: ChallengeRecord, citizen: Citizen): { email?: string; forced?: boolean } {
  if (record.step !== challengeNames.recoveryCode) return {};
  return { email: maskEmail(mailboxOf(record, citizen)), forced: isForAgent(record) };
}

function obstacleOf(citizen: Citizen): CallError | null {
  if (citizen.blocked_at !== null) return new CallError(403, 'account_blocked', { field: 'password', bare: true });
  if (citizen.active_at === null) return new CallError(403, 'account_no_activated', { field: 'password', bare: true });
  return null;
}

function personOf(citizen: Citizen): { name: string; level: string; email?: string } {
  return {
    name: fullName(citizen),
    level: levelOf(citizen).trust,
    ...(citizen.email === null ? {} : { email: maskEmail(citizen.email) }),
  };
}
