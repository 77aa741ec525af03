import { useLayoutEffect, useRef, type ReactNode } from 'react';

interface DialogProps {
  readonly onClose: () => void;
  /** `alertdialog` if the user has to respond to something urgent. */
  readonly role?: 'alertdialog';
  readonly labelledBy?: string;
  readonly describedBy?: string;
  readonly children: ReactNode;
}

/** A native modal dialog. The browser keeps the focus inside and returns it to the opener. Escape calls `onClose`. */
export function Dialog({ onClose, role, labelledBy, describedBy, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // The browser returns the focus only if the dialog is closed before it is removed.
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
        event.preventDefault(); // do not close: the flow decides whether to close the dialog
        onClose();
      }}
    >
      {children}
    </dialog>
  );
}
