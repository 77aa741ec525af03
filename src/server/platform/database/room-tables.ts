import type { Generated } from 'kysely';

/** Who sits on one of the two seats of a call's room. */
export interface RoomSeatTable {
  call_id: string;
  seat: 'citizen' | 'agent';
  /** The page that sits there, by the name that it gave itself; null: it left. */
  client: string | null;
  /** When it was last there. */
  seen_at: Date;
  /** Since when it has been taken, by whichever page; null: by a version that did not note it. */
  taken_at: Date | null;
  /** The account of the agent who sits there; null on the citizen's seat. */
  agent_id: string | null;
  /** The number of the last signal to this seat. */
  sequence: Generated<number>;
}

/** How long an agent and the citizen were in the room of a call together, up to when one of them last got up. */
export interface CallMeetingTable {
  call_id: string;
  agent_id: string;
  met_ms: number;
}

/** What one browser tells the other one, until it is read. */
export interface RoomSignalTable {
  call_id: string;
  /** Whom it is for. */
  seat: 'citizen' | 'agent';
  number: number;
  /** JSON, as the contract's body has it. */
  content: string;
  created_at: Date;
}

/** A picture that an agent asked the citizen for. */
export interface CallStillTable {
  id: string;
  call_id: string;
  kind: 'document' | 'face';
  /** The agent, as the audit log names them. */
  asked_by: string;
  asked_at: Date;
  refused_at: Date | null;
  taken_at: Date | null;
  width: number | null;
  height: number | null;
  /** The picture in base64, sealed by the vault. */
  sealed: string | null;
}
