import { type CfnStack, NestedStack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';

/**
 * The functions that serve requests, in a stack nested in that of the stage (ADR 0040): their code, versions, aliases,
 * deployments and what may invoke them. Nothing in it holds data, so it may be made again at any time.
 */
export class FunctionStack extends NestedStack {
  constructor(scope: Construct, id: string, description: string) {
    super(scope, id, { description });
    // CDK's own name has 60 letters, and what CloudFormation names after the nested stack would lose the name of the stage.
    (this.nestedStackResource as CfnStack).overrideLogicalId(id);
  }
}
