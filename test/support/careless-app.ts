import { Stack } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { takeBuiltFunctions } from '../../lib/bundling/bundle-functions';
import { fraudScreeningApp } from '../../lib/fraud-screening-app';

// Our application with a bucket in it that nobody secured or acknowledged: the rule packs must not let it pass. Without
// our own stacks, which pass them in every other synthesis, and whose code synthesize-once.ts has built.
takeBuiltFunctions();
const app = fraudScreeningApp();
for (const { node } of app.node.children.filter(Stack.isStack)) app.node.tryRemoveChild(node.id);
new Bucket(new Stack(app, 'Careless'), 'Naked');
app.synth();
