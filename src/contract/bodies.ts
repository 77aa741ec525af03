import type { FromSchema } from 'json-schema-to-ts';
import { empty } from './shapes.ts';
import { applicationsBodies } from './topics/applications.ts';
import { deskBodies } from './topics/desk-shapes.ts';
import { messagesBodies } from './topics/messages.ts';
import { registrationBodies } from './topics/registration.ts';
import { secondFactorBodies } from './topics/second-factor.ts';
import { providersBodies } from './topics/providers.ts';
import { savedFlowsBodies } from './topics/saved-flows.ts';
import { signInBodies } from './topics/sign-in.ts';
import { videoRoomBodies } from './topics/video-room.ts';

/** JSON Schemas of the bodies that no screen sends as they are. Bodies of screens stand in schemas/. */
export const bodies = {
  empty,
  ...applicationsBodies,
  ...deskBodies,
  ...messagesBodies,
  ...registrationBodies,
  ...secondFactorBodies,
  ...providersBodies,
  ...savedFlowsBodies,
  ...signInBodies,
  ...videoRoomBodies,
} as const;

export type BodyName = keyof typeof bodies;
type BodyTypes = { readonly [Name in BodyName]: FromSchema<(typeof bodies)[Name]> };
export type BodyOf<Name extends BodyName> = BodyTypes[Name];
