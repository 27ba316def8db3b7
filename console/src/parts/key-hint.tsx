import { shortcutsOn } from '../state/shortcuts';

/** The key that does the same, where single keys are on. */
export const KeyHint = ({ of }: { of: string }) =>
  shortcutsOn.value ? (
    <span class="key" aria-hidden="true">
      {of}
    </span>
  ) : null;
