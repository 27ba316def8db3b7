import { STAGES, type Stage } from '../domain/stage';
import { type Given, type Options, UsageError } from './command-line';

export const STAGE_OPTIONS: Options = {
  stage: { value: 'name', does: 'sandbox or production', default: 'sandbox' },
  aws: { does: 'act on the deployed stack, with your AWS credentials and region' },
};

export function stageOf({ texts }: Given): Stage {
  const stage = STAGES.find((known) => known === texts.stage);
  if (!stage) throw new UsageError(`--stage must be one of ${STAGES.join(', ')}`);
  return stage;
}
