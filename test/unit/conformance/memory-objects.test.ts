import { memoryObjects } from '../../../shared/store/memory/memory-objects';
import { modelRegistry } from '../../../shared/store/models/model-registry';
import { describeModelRegistryConformance } from '../../support/conformance/model-registry';
import { describeObjectsConformance } from '../../support/conformance/objects';

describeObjectsConformance('memory', memoryObjects);
describeModelRegistryConformance('a bucket in memory', () => modelRegistry(memoryObjects()));
