import { bundleFunctions, bundleReport } from '../lib/bundling/bundle-functions';
import { fraudScreeningApp } from '../lib/fraud-screening-app';

// On stderr: the CDK command line owns stdout.
console.error(bundleReport(bundleFunctions()));
fraudScreeningApp().synth();
