import { say } from './texts.ts';

/** The place of the room on the page of a call. */
export function CallPlace({ id }: { id: string }) {
  return (
    <p className="desk-room" data-call={id}>
      {say('call.noRoom')}
    </p>
  );
}
