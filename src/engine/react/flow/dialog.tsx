import { useLayoutEffect, useRef, type ReactNode } from 'react';

interface DialogProps {
  readonly onClose: () => void;
  readonly role?: 'alertdialog';
  readonly labelledBy?: string;
  readonly describedBy?: string;
  readonly children: ReactNode;
}

/** Native modal dialog. The browser traps the focus and returns it to the opener. Escape calls `onClose`. */
export function Dialog({ onClose, role, labelledBy, describedBy, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Closes the dialog on unmount, because the browser returns the focus only if the dialog is closed before it is removed.
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
        event.preventDefault(); // the flow decides whether the dialog closes
        onClose();
      }}
    >
      {children}
    </dialog>
  );
}
