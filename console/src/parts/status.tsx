import type { CaseStatus } from '../api/types';

const WORDS: Readonly<Record<CaseStatus, string>> = {
  open: 'Open',
  approved: 'Approved',
  rejected: 'Rejected',
  expired: 'Expired',
};

export const Status = ({ of }: { of: CaseStatus }) => <span class={`status ${of}`}>{WORDS[of]}</span>;
