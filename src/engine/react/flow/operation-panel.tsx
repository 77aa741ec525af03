import { observable, runInAction } from 'mobx';
import { observer } from 'mobx-react-lite';
import { useId, useState } from 'react';
import type { OperationFailure, OperationInput, OperationResult } from '../../core/operation-result.ts';

interface PendingOperation {
  readonly id: number;
  readonly name: string;
  readonly input: OperationInput;
  readonly settle: (result: OperationResult) => void;
}

export interface ManualOperations {
  /** Service of `createFlow`. Resolves when the developer has chosen the outcome in the panel. */
  readonly invoke: (operation: string, input: OperationInput) => Promise<OperationResult>;
  readonly pending: readonly PendingOperation[];
}

/** Creates operations without a server. A developer chooses the outcome of each one in an `OperationPanel`, to walk through every branch of a flow. */
export function createManualOperations(): ManualOperations {
  const pending = observable.array<PendingOperation>([], { deep: false });
  let lastId = 0;
  return {
    pending,
    invoke: (name, input) =>
      new Promise((resolve) => {
        const operation: PendingOperation = {
          id: ++lastId,
          name,
          input,
          settle: (result) => {
            runInAction(() => pending.remove(operation));
            resolve(result);
          },
        };
        runInAction(() => pending.push(operation));
      }),
  };
}

/** Panel for developers: shows the pending operations with their input, and asks for their outcome as JSON. */
export const OperationPanel = observer(function OperationPanel({ operations }: { operations: ManualOperations }) {
  return (
    <aside aria-label="Operations">
      {operations.pending.map((operation) => (
        <section key={operation.id} aria-label={operation.name}>
          <strong>{operation.name}</strong>
          <pre>{JSON.stringify(operation.input, null, 2)}</pre>
          <OutcomeField
            label="Result"
            button="Succeed"
            initial="{}"
            onSettle={(result) => operation.settle({ ok: true, result })}
          />
          <OutcomeField
            label="Failure"
            button="Fail"
            initial={'{ "status": 400, "error": "Refused" }'}
            onSettle={(failure) => operation.settle({ ok: false, failure: failure as OperationFailure })} // cast: the developer writes the failure
          />
        </section>
      ))}
    </aside>
  );
});

interface OutcomeFieldProps {
  readonly label: string;
  readonly button: string;
  readonly initial: string;
  readonly onSettle: (value: unknown) => void;
}

function OutcomeField({ label, button, initial, onSettle }: OutcomeFieldProps) {
  const id = useId();
  const [text, setText] = useState(initial);
  const [problem, setProblem] = useState<string | null>(null);
  const settle = (): void => {
    try {
      onSettle(JSON.parse(text));
    } catch (error) {
      setProblem(String(error));
    }
  };
  return (
    <p>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        value={text}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onChange={({ target }) => setText(target.value)}
      />
      {problem !== null && (
        <span id={`${id}-problem`} role="alert">
          {problem}
        </span>
      )}
      <button type="button" onClick={settle}>
        {button}
      </button>
    </p>
  );
}
