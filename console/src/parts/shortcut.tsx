import { shortcutsOn } from '../state/shortcuts';

/** The keyboard shortcut of a button, while shortcuts are enabled. */
export const Shortcut = ({ of }: { of: string }) =>
  shortcutsOn.value ? (
    <span class="key" aria-hidden="true">
      {of}
    </span>
  ) : null;
