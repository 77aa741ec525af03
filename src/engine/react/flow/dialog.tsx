import { useLayoutEffect, useRef, type ReactNode } from 'react';

interface DialogProps {
  readonly onClose: () => void;
  /** `alertdialog`: it asks for an answer to something urgent. */
  readonly role?: 'alertdialog';
  /** Ids of the elements that name and describe it. */
  readonly labelledBy?: string;
  readonly describedBy?: string;
  readonly children: ReactNode;
}

/** A native dialog over the page: the browser keeps the focus inside, and gives it back to the opener. Escape calls `onClose`. */
export function Dialog({ onClose, role, labelledBy, describedBy, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Closed while it is still in the page: the browser gives the focus back only then.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className="dialog"
      role={role}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      onCancel={(event) => {
        event.preventDefault(); // the flow decides, and then takes the dialog away
        onClose();
      }}
    >
      {children}
    </dialog>
  );
}
