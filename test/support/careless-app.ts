import { Stack } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { fraudScreeningApp } from '../../lib/fraud-screening-app';

// Our application with a bucket in it that nobody secured or acknowledged: the rule packs must not let it pass.
const app = fraudScreeningApp();
new Bucket(new Stack(app, 'Careless'), 'Naked');
app.synth();
