// Generated from the schemas beside it by npm run generate; do not edit.
const Intent=validate52,schema19={$id:"https://plimsoll.dev/v1alpha1/Intent.json",type:"object",properties:{latency:{$ref:"https://plimsoll.dev/v1alpha1/parts/l\
atency.json"},demand:{$ref:"https://plimsoll.dev/v1alpha1/parts/demand.json"},state:{$ref:"https://plimsoll.dev/v1alpha1/parts/state.json"},interruption:{$ref:"\
https://plimsoll.dev/v1alpha1/parts/interruption.json"},accelerator:{$ref:"https://plimsoll.dev/v1alpha1/parts/accelerator.json"},tenancy:{$ref:"https://plimsol\
l.dev/v1alpha1/parts/tenancy.json"},startup:{$ref:"https://plimsoll.dev/v1alpha1/parts/startup.json"},topology:{$ref:"https://plimsoll.dev/v1alpha1/parts/topolo\
gy.json"},capacity:{$ref:"https://plimsoll.dev/v1alpha1/parts/capacity.json"},admission:{$ref:"https://plimsoll.dev/v1alpha1/parts/admission.json"}},additionalProperties:!1},
func1=Object.prototype.hasOwnProperty,schema20={$id:"https://plimsoll.dev/v1alpha1/parts/latency.json",anyOf:[{type:"string",enum:["none"]},{type:"object",properties:{
objective:{anyOf:[{type:"string",enum:["none"]},{type:"object",properties:{metric:{type:"string",minLength:1,maxLength:63},percentile:{type:"number",exclusiveMinimum:0,
maximum:100},target:{type:"string",pattern:"^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$",maxLength:32}},additionalProperties:!1}]}},additionalProperties:!1}]},pattern3=new RegExp(
"^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$","u");function validate53(data,{instancePath="",parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){let vErrors=null,
errors=0;const evaluated0=validate53.evaluated;evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.dynamicItems&&(evaluated0.items=void 0);const _errs0=errors;
let valid0=!1;const _errs1=errors;if(typeof data!="string"){const err0={instancePath,schemaPath:"#/anyOf/0/type",keyword:"type",params:{type:"string"}};vErrors===
null?vErrors=[err0]:vErrors.push(err0),errors++}if(data!=="none"){const err1={instancePath,schemaPath:"#/anyOf/0/enum",keyword:"enum",params:{allowedValues:schema20.
anyOf[0].enum}};vErrors===null?vErrors=[err1]:vErrors.push(err1),errors++}var _valid0=_errs1===errors;valid0=valid0||_valid0;const _errs3=errors;if(data&&typeof data==
"object"&&!Array.isArray(data)){for(const key0 in data)if(key0!=="objective"){const err2={instancePath,schemaPath:"#/anyOf/1/additionalProperties",keyword:"addi\
tionalProperties",params:{additionalProperty:key0}};vErrors===null?vErrors=[err2]:vErrors.push(err2),errors++}if(data.objective!==void 0){let data0=data.objective;
const _errs7=errors;let valid2=!1;const _errs8=errors;if(typeof data0!="string"){const err3={instancePath:instancePath+"/objective",schemaPath:"#/anyOf/1/proper\
ties/objective/anyOf/0/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err3]:vErrors.push(err3),errors++}if(data0!=="none"){const err4={instancePath:instancePath+
"/objective",schemaPath:"#/anyOf/1/properties/objective/anyOf/0/enum",keyword:"enum",params:{allowedValues:schema20.anyOf[1].properties.objective.anyOf[0].enum}};
vErrors===null?vErrors=[err4]:vErrors.push(err4),errors++}var _valid1=_errs8===errors;valid2=valid2||_valid1;const _errs10=errors;if(data0&&typeof data0=="objec\
t"&&!Array.isArray(data0)){for(const key1 in data0)if(!(key1==="metric"||key1==="percentile"||key1==="target")){const err5={instancePath:instancePath+"/objectiv\
e",schemaPath:"#/anyOf/1/properties/objective/anyOf/1/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key1}};vErrors===null?vErrors=
[err5]:vErrors.push(err5),errors++}if(data0.metric!==void 0){let data1=data0.metric;if(typeof data1=="string"){if(data1.length>63){const err6={instancePath:instancePath+
"/objective/metric",schemaPath:"#/anyOf/1/properties/objective/anyOf/1/properties/metric/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=
[err6]:vErrors.push(err6),errors++}if(data1.length<1){const err7={instancePath:instancePath+"/objective/metric",schemaPath:"#/anyOf/1/properties/objective/anyOf\
/1/properties/metric/minLength",keyword:"minLength",params:{limit:1}};vErrors===null?vErrors=[err7]:vErrors.push(err7),errors++}}else{const err8={instancePath:instancePath+
"/objective/metric",schemaPath:"#/anyOf/1/properties/objective/anyOf/1/properties/metric/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err8]:
vErrors.push(err8),errors++}}if(data0.percentile!==void 0){let data2=data0.percentile;if(typeof data2=="number"&&isFinite(data2)){if(data2>100||isNaN(data2)){const err9={
instancePath:instancePath+"/objective/percentile",schemaPath:"#/anyOf/1/properties/objective/anyOf/1/properties/percentile/maximum",keyword:"maximum",params:{comparison:"\
<=",limit:100}};vErrors===null?vErrors=[err9]:vErrors.push(err9),errors++}if(data2<=0||isNaN(data2)){const err10={instancePath:instancePath+"/objective/percenti\
le",schemaPath:"#/anyOf/1/properties/objective/anyOf/1/properties/percentile/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison:">",limit:0}};vErrors===
null?vErrors=[err10]:vErrors.push(err10),errors++}}else{const err11={instancePath:instancePath+"/objective/percentile",schemaPath:"#/anyOf/1/properties/objectiv\
e/anyOf/1/properties/percentile/type",keyword:"type",params:{type:"number"}};vErrors===null?vErrors=[err11]:vErrors.push(err11),errors++}}if(data0.target!==void 0){
let data3=data0.target;if(typeof data3=="string"){if(data3.length>32){const err12={instancePath:instancePath+"/objective/target",schemaPath:"#/anyOf/1/propertie\
s/objective/anyOf/1/properties/target/maxLength",keyword:"maxLength",params:{limit:32}};vErrors===null?vErrors=[err12]:vErrors.push(err12),errors++}if(!pattern3.
test(data3)){const err13={instancePath:instancePath+"/objective/target",schemaPath:"#/anyOf/1/properties/objective/anyOf/1/properties/target/pattern",keyword:"p\
attern",params:{pattern:"^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$"}};vErrors===null?vErrors=[err13]:vErrors.push(err13),errors++}}else{const err14={instancePath:instancePath+
"/objective/target",schemaPath:"#/anyOf/1/properties/objective/anyOf/1/properties/target/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err14]:
vErrors.push(err14),errors++}}}else{const err15={instancePath:instancePath+"/objective",schemaPath:"#/anyOf/1/properties/objective/anyOf/1/type",keyword:"type",
params:{type:"object"}};vErrors===null?vErrors=[err15]:vErrors.push(err15),errors++}var _valid1=_errs10===errors;if(valid2=valid2||_valid1,valid2)errors=_errs7,
vErrors!==null&&(_errs7?vErrors.length=_errs7:vErrors=null);else{const err16={instancePath:instancePath+"/objective",schemaPath:"#/anyOf/1/properties/objective/\
anyOf",keyword:"anyOf",params:{}};vErrors===null?vErrors=[err16]:vErrors.push(err16),errors++}}}else{const err17={instancePath,schemaPath:"#/anyOf/1/type",keyword:"\
type",params:{type:"object"}};vErrors===null?vErrors=[err17]:vErrors.push(err17),errors++}var _valid0=_errs3===errors;if(valid0=valid0||_valid0,_valid0)var props1=!0;
if(valid0)errors=_errs0,vErrors!==null&&(_errs0?vErrors.length=_errs0:vErrors=null);else{const err18={instancePath,schemaPath:"#/anyOf",keyword:"anyOf",params:{}};
vErrors===null?vErrors=[err18]:vErrors.push(err18),errors++}return validate53.errors=vErrors,evaluated0.props=props1,errors===0}validate53.evaluated={dynamicProps:!0,
dynamicItems:!1};const schema21={$id:"https://plimsoll.dev/v1alpha1/parts/demand.json",type:"object",properties:{shape:{type:"string",enum:["gang","online","ses\
sion","batch","stream"]},signals:{type:"object",properties:{allowed:{type:"array",items:{type:"string",minLength:1,maxLength:63},minItems:0,maxItems:256,uniqueItems:!0},
forbidden:{type:"array",items:{type:"string",minLength:1,maxLength:63},minItems:0,maxItems:256,uniqueItems:!0}},additionalProperties:!1},replicas:{type:"object",
properties:{min:{type:"integer",minimum:0,maximum:1e6},max:{type:"integer",minimum:1,maximum:1e6}},additionalProperties:!1},scaleToZero:{type:"boolean"},runTime:{
type:"string",pattern:"^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$",maxLength:32},holdWhileSuspended:{type:"boolean"}},additionalProperties:!1};function validate55(data,{
instancePath="",parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){let vErrors=null,errors=0;const evaluated0=validate55.evaluated;if(evaluated0.
dynamicProps&&(evaluated0.props=void 0),evaluated0.dynamicItems&&(evaluated0.items=void 0),data&&typeof data=="object"&&!Array.isArray(data)){for(const key0 in data)
if(!(key0==="shape"||key0==="signals"||key0==="replicas"||key0==="scaleToZero"||key0==="runTime"||key0==="holdWhileSuspended")){const err0={instancePath,schemaPath:"\
#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key0}};vErrors===null?vErrors=[err0]:vErrors.push(err0),errors++}if(data.shape!==
void 0){let data0=data.shape;if(typeof data0!="string"){const err1={instancePath:instancePath+"/shape",schemaPath:"#/properties/shape/type",keyword:"type",params:{
type:"string"}};vErrors===null?vErrors=[err1]:vErrors.push(err1),errors++}if(!(data0==="gang"||data0==="online"||data0==="session"||data0==="batch"||data0==="st\
ream")){const err2={instancePath:instancePath+"/shape",schemaPath:"#/properties/shape/enum",keyword:"enum",params:{allowedValues:schema21.properties.shape.enum}};
vErrors===null?vErrors=[err2]:vErrors.push(err2),errors++}}if(data.signals!==void 0){let data1=data.signals;if(data1&&typeof data1=="object"&&!Array.isArray(data1)){
for(const key1 in data1)if(!(key1==="allowed"||key1==="forbidden")){const err3={instancePath:instancePath+"/signals",schemaPath:"#/properties/signals/additional\
Properties",keyword:"additionalProperties",params:{additionalProperty:key1}};vErrors===null?vErrors=[err3]:vErrors.push(err3),errors++}if(data1.allowed!==void 0){
let data2=data1.allowed;if(Array.isArray(data2)){if(data2.length>256){const err4={instancePath:instancePath+"/signals/allowed",schemaPath:"#/properties/signals/\
properties/allowed/maxItems",keyword:"maxItems",params:{limit:256}};vErrors===null?vErrors=[err4]:vErrors.push(err4),errors++}if(data2.length<0){const err5={instancePath:instancePath+
"/signals/allowed",schemaPath:"#/properties/signals/properties/allowed/minItems",keyword:"minItems",params:{limit:0}};vErrors===null?vErrors=[err5]:vErrors.push(
err5),errors++}const len0=data2.length;for(let i0=0;i0<len0;i0++){let data3=data2[i0];if(typeof data3=="string"){if(data3.length>63){const err6={instancePath:instancePath+
"/signals/allowed/"+i0,schemaPath:"#/properties/signals/properties/allowed/items/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err6]:
vErrors.push(err6),errors++}if(data3.length<1){const err7={instancePath:instancePath+"/signals/allowed/"+i0,schemaPath:"#/properties/signals/properties/allowed/\
items/minLength",keyword:"minLength",params:{limit:1}};vErrors===null?vErrors=[err7]:vErrors.push(err7),errors++}}else{const err8={instancePath:instancePath+"/s\
ignals/allowed/"+i0,schemaPath:"#/properties/signals/properties/allowed/items/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err8]:vErrors.
push(err8),errors++}}let i1=data2.length,j0;if(i1>1){const indices0={};for(;i1--;){let item0=data2[i1];if(typeof item0=="string"){if(typeof indices0[item0]=="nu\
mber"){j0=indices0[item0];const err9={instancePath:instancePath+"/signals/allowed",schemaPath:"#/properties/signals/properties/allowed/uniqueItems",keyword:"uni\
queItems",params:{i:i1,j:j0}};vErrors===null?vErrors=[err9]:vErrors.push(err9),errors++;break}indices0[item0]=i1}}}}else{const err10={instancePath:instancePath+
"/signals/allowed",schemaPath:"#/properties/signals/properties/allowed/type",keyword:"type",params:{type:"array"}};vErrors===null?vErrors=[err10]:vErrors.push(err10),
errors++}}if(data1.forbidden!==void 0){let data4=data1.forbidden;if(Array.isArray(data4)){if(data4.length>256){const err11={instancePath:instancePath+"/signals/\
forbidden",schemaPath:"#/properties/signals/properties/forbidden/maxItems",keyword:"maxItems",params:{limit:256}};vErrors===null?vErrors=[err11]:vErrors.push(err11),
errors++}if(data4.length<0){const err12={instancePath:instancePath+"/signals/forbidden",schemaPath:"#/properties/signals/properties/forbidden/minItems",keyword:"\
minItems",params:{limit:0}};vErrors===null?vErrors=[err12]:vErrors.push(err12),errors++}const len1=data4.length;for(let i2=0;i2<len1;i2++){let data5=data4[i2];if(typeof data5==
"string"){if(data5.length>63){const err13={instancePath:instancePath+"/signals/forbidden/"+i2,schemaPath:"#/properties/signals/properties/forbidden/items/maxLen\
gth",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err13]:vErrors.push(err13),errors++}if(data5.length<1){const err14={instancePath:instancePath+
"/signals/forbidden/"+i2,schemaPath:"#/properties/signals/properties/forbidden/items/minLength",keyword:"minLength",params:{limit:1}};vErrors===null?vErrors=[err14]:
vErrors.push(err14),errors++}}else{const err15={instancePath:instancePath+"/signals/forbidden/"+i2,schemaPath:"#/properties/signals/properties/forbidden/items/t\
ype",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err15]:vErrors.push(err15),errors++}}let i3=data4.length,j1;if(i3>1){const indices1={};for(;i3--;){
let item1=data4[i3];if(typeof item1=="string"){if(typeof indices1[item1]=="number"){j1=indices1[item1];const err16={instancePath:instancePath+"/signals/forbidde\
n",schemaPath:"#/properties/signals/properties/forbidden/uniqueItems",keyword:"uniqueItems",params:{i:i3,j:j1}};vErrors===null?vErrors=[err16]:vErrors.push(err16),
errors++;break}indices1[item1]=i3}}}}else{const err17={instancePath:instancePath+"/signals/forbidden",schemaPath:"#/properties/signals/properties/forbidden/type",
keyword:"type",params:{type:"array"}};vErrors===null?vErrors=[err17]:vErrors.push(err17),errors++}}}else{const err18={instancePath:instancePath+"/signals",schemaPath:"\
#/properties/signals/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err18]:vErrors.push(err18),errors++}}if(data.replicas!==void 0){let data6=data.
replicas;if(data6&&typeof data6=="object"&&!Array.isArray(data6)){for(const key2 in data6)if(!(key2==="min"||key2==="max")){const err19={instancePath:instancePath+
"/replicas",schemaPath:"#/properties/replicas/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key2}};vErrors===null?vErrors=[err19]:
vErrors.push(err19),errors++}if(data6.min!==void 0){let data7=data6.min;if(!(typeof data7=="number"&&!(data7%1)&&!isNaN(data7)&&isFinite(data7))){const err20={instancePath:instancePath+
"/replicas/min",schemaPath:"#/properties/replicas/properties/min/type",keyword:"type",params:{type:"integer"}};vErrors===null?vErrors=[err20]:vErrors.push(err20),
errors++}if(typeof data7=="number"&&isFinite(data7)){if(data7>1e6||isNaN(data7)){const err21={instancePath:instancePath+"/replicas/min",schemaPath:"#/properties\
/replicas/properties/min/maximum",keyword:"maximum",params:{comparison:"<=",limit:1e6}};vErrors===null?vErrors=[err21]:vErrors.push(err21),errors++}if(data7<0||
isNaN(data7)){const err22={instancePath:instancePath+"/replicas/min",schemaPath:"#/properties/replicas/properties/min/minimum",keyword:"minimum",params:{comparison:"\
>=",limit:0}};vErrors===null?vErrors=[err22]:vErrors.push(err22),errors++}}}if(data6.max!==void 0){let data8=data6.max;if(!(typeof data8=="number"&&!(data8%1)&&
!isNaN(data8)&&isFinite(data8))){const err23={instancePath:instancePath+"/replicas/max",schemaPath:"#/properties/replicas/properties/max/type",keyword:"type",params:{
type:"integer"}};vErrors===null?vErrors=[err23]:vErrors.push(err23),errors++}if(typeof data8=="number"&&isFinite(data8)){if(data8>1e6||isNaN(data8)){const err24={
instancePath:instancePath+"/replicas/max",schemaPath:"#/properties/replicas/properties/max/maximum",keyword:"maximum",params:{comparison:"<=",limit:1e6}};vErrors===
null?vErrors=[err24]:vErrors.push(err24),errors++}if(data8<1||isNaN(data8)){const err25={instancePath:instancePath+"/replicas/max",schemaPath:"#/properties/repl\
icas/properties/max/minimum",keyword:"minimum",params:{comparison:">=",limit:1}};vErrors===null?vErrors=[err25]:vErrors.push(err25),errors++}}}}else{const err26={
instancePath:instancePath+"/replicas",schemaPath:"#/properties/replicas/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err26]:vErrors.push(
err26),errors++}}if(data.scaleToZero!==void 0&&typeof data.scaleToZero!="boolean"){const err27={instancePath:instancePath+"/scaleToZero",schemaPath:"#/propertie\
s/scaleToZero/type",keyword:"type",params:{type:"boolean"}};vErrors===null?vErrors=[err27]:vErrors.push(err27),errors++}if(data.runTime!==void 0){let data10=data.
runTime;if(typeof data10=="string"){if(data10.length>32){const err28={instancePath:instancePath+"/runTime",schemaPath:"#/properties/runTime/maxLength",keyword:"\
maxLength",params:{limit:32}};vErrors===null?vErrors=[err28]:vErrors.push(err28),errors++}if(!pattern3.test(data10)){const err29={instancePath:instancePath+"/ru\
nTime",schemaPath:"#/properties/runTime/pattern",keyword:"pattern",params:{pattern:"^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$"}};vErrors===null?vErrors=[err29]:vErrors.
push(err29),errors++}}else{const err30={instancePath:instancePath+"/runTime",schemaPath:"#/properties/runTime/type",keyword:"type",params:{type:"string"}};vErrors===
null?vErrors=[err30]:vErrors.push(err30),errors++}}if(data.holdWhileSuspended!==void 0&&typeof data.holdWhileSuspended!="boolean"){const err31={instancePath:instancePath+
"/holdWhileSuspended",schemaPath:"#/properties/holdWhileSuspended/type",keyword:"type",params:{type:"boolean"}};vErrors===null?vErrors=[err31]:vErrors.push(err31),
errors++}}else{const err32={instancePath,schemaPath:"#/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err32]:vErrors.push(err32),errors++}
return validate55.errors=vErrors,errors===0}validate55.evaluated={props:!0,dynamicProps:!1,dynamicItems:!1};const schema22={$id:"https://plimsoll.dev/v1alpha1/p\
arts/state.json",type:"object",properties:{location:{type:"string",enum:["none","local","volume","external"]},checkpointInterval:{type:"string",pattern:"^([0-9]\
+(\\.[0-9]+)?(ms|s|m|h))+$",maxLength:32}},additionalProperties:!1};function validate57(data,{instancePath="",parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){
let vErrors=null,errors=0;const evaluated0=validate57.evaluated;if(evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.dynamicItems&&(evaluated0.items=
void 0),data&&typeof data=="object"&&!Array.isArray(data)){for(const key0 in data)if(!(key0==="location"||key0==="checkpointInterval")){const err0={instancePath,
schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key0}};vErrors===null?vErrors=[err0]:vErrors.push(err0),errors++}if(data.
location!==void 0){let data0=data.location;if(typeof data0!="string"){const err1={instancePath:instancePath+"/location",schemaPath:"#/properties/location/type",
keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err1]:vErrors.push(err1),errors++}if(!(data0==="none"||data0==="local"||data0==="volume"||data0===
"external")){const err2={instancePath:instancePath+"/location",schemaPath:"#/properties/location/enum",keyword:"enum",params:{allowedValues:schema22.properties.
location.enum}};vErrors===null?vErrors=[err2]:vErrors.push(err2),errors++}}if(data.checkpointInterval!==void 0){let data1=data.checkpointInterval;if(typeof data1==
"string"){if(data1.length>32){const err3={instancePath:instancePath+"/checkpointInterval",schemaPath:"#/properties/checkpointInterval/maxLength",keyword:"maxLen\
gth",params:{limit:32}};vErrors===null?vErrors=[err3]:vErrors.push(err3),errors++}if(!pattern3.test(data1)){const err4={instancePath:instancePath+"/checkpointIn\
terval",schemaPath:"#/properties/checkpointInterval/pattern",keyword:"pattern",params:{pattern:"^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$"}};vErrors===null?vErrors=[err4]:
vErrors.push(err4),errors++}}else{const err5={instancePath:instancePath+"/checkpointInterval",schemaPath:"#/properties/checkpointInterval/type",keyword:"type",params:{
type:"string"}};vErrors===null?vErrors=[err5]:vErrors.push(err5),errors++}}}else{const err6={instancePath,schemaPath:"#/type",keyword:"type",params:{type:"objec\
t"}};vErrors===null?vErrors=[err6]:vErrors.push(err6),errors++}return validate57.errors=vErrors,errors===0}validate57.evaluated={props:!0,dynamicProps:!1,dynamicItems:!1};
const schema23={$id:"https://plimsoll.dev/v1alpha1/parts/interruption.json",type:"object",properties:{spot:{type:"string",enum:["never","allowed","overflow"]},minLifetime:{
type:"string",pattern:"^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$",maxLength:32},consolidation:{type:"boolean"},scaleDown:{type:"string",enum:["any","application-drain-o\
nly"]},drainTimeout:{type:"string",pattern:"^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$",maxLength:32},budget:{type:"object",properties:{maxUnavailable:{type:["integer","\
string"],minimum:0,pattern:"^[0-9]{1,3}%$"},minAvailable:{type:["integer","string"],minimum:0,pattern:"^[0-9]{1,3}%$"}},minProperties:1,maxProperties:1,additionalProperties:!1}},
additionalProperties:!1},pattern8=new RegExp("^[0-9]{1,3}%$","u");function validate59(data,{instancePath="",parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){
let vErrors=null,errors=0;const evaluated0=validate59.evaluated;if(evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.dynamicItems&&(evaluated0.items=
void 0),data&&typeof data=="object"&&!Array.isArray(data)){for(const key0 in data)if(!(key0==="spot"||key0==="minLifetime"||key0==="consolidation"||key0==="scal\
eDown"||key0==="drainTimeout"||key0==="budget")){const err0={instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key0}};
vErrors===null?vErrors=[err0]:vErrors.push(err0),errors++}if(data.spot!==void 0){let data0=data.spot;if(typeof data0!="string"){const err1={instancePath:instancePath+
"/spot",schemaPath:"#/properties/spot/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err1]:vErrors.push(err1),errors++}if(!(data0==="never"||
data0==="allowed"||data0==="overflow")){const err2={instancePath:instancePath+"/spot",schemaPath:"#/properties/spot/enum",keyword:"enum",params:{allowedValues:schema23.
properties.spot.enum}};vErrors===null?vErrors=[err2]:vErrors.push(err2),errors++}}if(data.minLifetime!==void 0){let data1=data.minLifetime;if(typeof data1=="str\
ing"){if(data1.length>32){const err3={instancePath:instancePath+"/minLifetime",schemaPath:"#/properties/minLifetime/maxLength",keyword:"maxLength",params:{limit:32}};
vErrors===null?vErrors=[err3]:vErrors.push(err3),errors++}if(!pattern3.test(data1)){const err4={instancePath:instancePath+"/minLifetime",schemaPath:"#/propertie\
s/minLifetime/pattern",keyword:"pattern",params:{pattern:"^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$"}};vErrors===null?vErrors=[err4]:vErrors.push(err4),errors++}}else{const err5={
instancePath:instancePath+"/minLifetime",schemaPath:"#/properties/minLifetime/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err5]:vErrors.
push(err5),errors++}}if(data.consolidation!==void 0&&typeof data.consolidation!="boolean"){const err6={instancePath:instancePath+"/consolidation",schemaPath:"#/\
properties/consolidation/type",keyword:"type",params:{type:"boolean"}};vErrors===null?vErrors=[err6]:vErrors.push(err6),errors++}if(data.scaleDown!==void 0){let data3=data.
scaleDown;if(typeof data3!="string"){const err7={instancePath:instancePath+"/scaleDown",schemaPath:"#/properties/scaleDown/type",keyword:"type",params:{type:"st\
ring"}};vErrors===null?vErrors=[err7]:vErrors.push(err7),errors++}if(!(data3==="any"||data3==="application-drain-only")){const err8={instancePath:instancePath+"\
/scaleDown",schemaPath:"#/properties/scaleDown/enum",keyword:"enum",params:{allowedValues:schema23.properties.scaleDown.enum}};vErrors===null?vErrors=[err8]:vErrors.
push(err8),errors++}}if(data.drainTimeout!==void 0){let data4=data.drainTimeout;if(typeof data4=="string"){if(data4.length>32){const err9={instancePath:instancePath+
"/drainTimeout",schemaPath:"#/properties/drainTimeout/maxLength",keyword:"maxLength",params:{limit:32}};vErrors===null?vErrors=[err9]:vErrors.push(err9),errors++}
if(!pattern3.test(data4)){const err10={instancePath:instancePath+"/drainTimeout",schemaPath:"#/properties/drainTimeout/pattern",keyword:"pattern",params:{pattern:"\
^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$"}};vErrors===null?vErrors=[err10]:vErrors.push(err10),errors++}}else{const err11={instancePath:instancePath+"/drainTimeout",schemaPath:"\
#/properties/drainTimeout/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err11]:vErrors.push(err11),errors++}}if(data.budget!==void 0){let data5=data.
budget;if(data5&&typeof data5=="object"&&!Array.isArray(data5)){if(Object.keys(data5).length>1){const err12={instancePath:instancePath+"/budget",schemaPath:"#/p\
roperties/budget/maxProperties",keyword:"maxProperties",params:{limit:1}};vErrors===null?vErrors=[err12]:vErrors.push(err12),errors++}if(Object.keys(data5).length<
1){const err13={instancePath:instancePath+"/budget",schemaPath:"#/properties/budget/minProperties",keyword:"minProperties",params:{limit:1}};vErrors===null?vErrors=
[err13]:vErrors.push(err13),errors++}for(const key1 in data5)if(!(key1==="maxUnavailable"||key1==="minAvailable")){const err14={instancePath:instancePath+"/budg\
et",schemaPath:"#/properties/budget/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key1}};vErrors===null?vErrors=[err14]:vErrors.
push(err14),errors++}if(data5.maxUnavailable!==void 0){let data6=data5.maxUnavailable;if(!(typeof data6=="number"&&!(data6%1)&&!isNaN(data6)&&isFinite(data6))&&
typeof data6!="string"){const err15={instancePath:instancePath+"/budget/maxUnavailable",schemaPath:"#/properties/budget/properties/maxUnavailable/type",keyword:"\
type",params:{type:schema23.properties.budget.properties.maxUnavailable.type}};vErrors===null?vErrors=[err15]:vErrors.push(err15),errors++}if(typeof data6=="num\
ber"&&isFinite(data6)&&(data6<0||isNaN(data6))){const err16={instancePath:instancePath+"/budget/maxUnavailable",schemaPath:"#/properties/budget/properties/maxUn\
available/minimum",keyword:"minimum",params:{comparison:">=",limit:0}};vErrors===null?vErrors=[err16]:vErrors.push(err16),errors++}if(typeof data6=="string"&&!pattern8.
test(data6)){const err17={instancePath:instancePath+"/budget/maxUnavailable",schemaPath:"#/properties/budget/properties/maxUnavailable/pattern",keyword:"pattern",
params:{pattern:"^[0-9]{1,3}%$"}};vErrors===null?vErrors=[err17]:vErrors.push(err17),errors++}}if(data5.minAvailable!==void 0){let data7=data5.minAvailable;if(!(typeof data7==
"number"&&!(data7%1)&&!isNaN(data7)&&isFinite(data7))&&typeof data7!="string"){const err18={instancePath:instancePath+"/budget/minAvailable",schemaPath:"#/prope\
rties/budget/properties/minAvailable/type",keyword:"type",params:{type:schema23.properties.budget.properties.minAvailable.type}};vErrors===null?vErrors=[err18]:
vErrors.push(err18),errors++}if(typeof data7=="number"&&isFinite(data7)&&(data7<0||isNaN(data7))){const err19={instancePath:instancePath+"/budget/minAvailable",
schemaPath:"#/properties/budget/properties/minAvailable/minimum",keyword:"minimum",params:{comparison:">=",limit:0}};vErrors===null?vErrors=[err19]:vErrors.push(
err19),errors++}if(typeof data7=="string"&&!pattern8.test(data7)){const err20={instancePath:instancePath+"/budget/minAvailable",schemaPath:"#/properties/budget/\
properties/minAvailable/pattern",keyword:"pattern",params:{pattern:"^[0-9]{1,3}%$"}};vErrors===null?vErrors=[err20]:vErrors.push(err20),errors++}}}else{const err21={
instancePath:instancePath+"/budget",schemaPath:"#/properties/budget/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err21]:vErrors.push(err21),
errors++}}}else{const err22={instancePath,schemaPath:"#/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err22]:vErrors.push(err22),errors++}
return validate59.errors=vErrors,errors===0}validate59.evaluated={props:!0,dynamicProps:!1,dynamicItems:!1};const schema24={$id:"https://plimsoll.dev/v1alpha1/p\
arts/accelerator.json",anyOf:[{type:"string",enum:["none","any"]},{type:"object",properties:{classes:{type:"array",items:{type:"string",pattern:"^[a-z0-9]([-a-z\
0-9]*[a-z0-9])?$",maxLength:63},minItems:1,maxItems:256,uniqueItems:!0},perPod:{type:"object",properties:{min:{type:"integer",minimum:1,maximum:1e6},max:{type:"\
integer",minimum:1,maximum:1e6},default:{type:"integer",minimum:1,maximum:1e6}},additionalProperties:!1},align:{type:"object",properties:{gpus:{type:"object",properties:{
level:{type:"string",enum:["nvlink","numa","pcie"]},mode:{type:"string",enum:["required","preferred"]}},additionalProperties:!1},nics:{type:"object",properties:{
level:{type:"string",enum:["numa","pcie"]},mode:{type:"string",enum:["required","preferred"]},count:{type:"integer",minimum:1,maximum:1e6},per:{type:"string",enum:[
"gpu","pod"]}},additionalProperties:!1}},additionalProperties:!1}},additionalProperties:!1}]},pattern10=new RegExp("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$","u");function validate61(data,{
instancePath="",parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){let vErrors=null,errors=0;const evaluated0=validate61.evaluated;evaluated0.dynamicProps&&
(evaluated0.props=void 0),evaluated0.dynamicItems&&(evaluated0.items=void 0);const _errs0=errors;let valid0=!1;const _errs1=errors;if(typeof data!="string"){const err0={
instancePath,schemaPath:"#/anyOf/0/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err0]:vErrors.push(err0),errors++}if(!(data==="none"||data===
"any")){const err1={instancePath,schemaPath:"#/anyOf/0/enum",keyword:"enum",params:{allowedValues:schema24.anyOf[0].enum}};vErrors===null?vErrors=[err1]:vErrors.
push(err1),errors++}var _valid0=_errs1===errors;valid0=valid0||_valid0;const _errs3=errors;if(data&&typeof data=="object"&&!Array.isArray(data)){for(const key0 in data)
if(!(key0==="classes"||key0==="perPod"||key0==="align")){const err2={instancePath,schemaPath:"#/anyOf/1/additionalProperties",keyword:"additionalProperties",params:{
additionalProperty:key0}};vErrors===null?vErrors=[err2]:vErrors.push(err2),errors++}if(data.classes!==void 0){let data0=data.classes;if(Array.isArray(data0)){if(data0.
length>256){const err3={instancePath:instancePath+"/classes",schemaPath:"#/anyOf/1/properties/classes/maxItems",keyword:"maxItems",params:{limit:256}};vErrors===
null?vErrors=[err3]:vErrors.push(err3),errors++}if(data0.length<1){const err4={instancePath:instancePath+"/classes",schemaPath:"#/anyOf/1/properties/classes/min\
Items",keyword:"minItems",params:{limit:1}};vErrors===null?vErrors=[err4]:vErrors.push(err4),errors++}const len0=data0.length;for(let i0=0;i0<len0;i0++){let data1=data0[i0];
if(typeof data1=="string"){if(data1.length>63){const err5={instancePath:instancePath+"/classes/"+i0,schemaPath:"#/anyOf/1/properties/classes/items/maxLength",keyword:"\
maxLength",params:{limit:63}};vErrors===null?vErrors=[err5]:vErrors.push(err5),errors++}if(!pattern10.test(data1)){const err6={instancePath:instancePath+"/class\
es/"+i0,schemaPath:"#/anyOf/1/properties/classes/items/pattern",keyword:"pattern",params:{pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}};vErrors===null?vErrors=[err6]:
vErrors.push(err6),errors++}}else{const err7={instancePath:instancePath+"/classes/"+i0,schemaPath:"#/anyOf/1/properties/classes/items/type",keyword:"type",params:{
type:"string"}};vErrors===null?vErrors=[err7]:vErrors.push(err7),errors++}}let i1=data0.length,j0;if(i1>1){const indices0={};for(;i1--;){let item0=data0[i1];if(typeof item0==
"string"){if(typeof indices0[item0]=="number"){j0=indices0[item0];const err8={instancePath:instancePath+"/classes",schemaPath:"#/anyOf/1/properties/classes/uniq\
ueItems",keyword:"uniqueItems",params:{i:i1,j:j0}};vErrors===null?vErrors=[err8]:vErrors.push(err8),errors++;break}indices0[item0]=i1}}}}else{const err9={instancePath:instancePath+
"/classes",schemaPath:"#/anyOf/1/properties/classes/type",keyword:"type",params:{type:"array"}};vErrors===null?vErrors=[err9]:vErrors.push(err9),errors++}}if(data.
perPod!==void 0){let data2=data.perPod;if(data2&&typeof data2=="object"&&!Array.isArray(data2)){for(const key1 in data2)if(!(key1==="min"||key1==="max"||key1===
"default")){const err10={instancePath:instancePath+"/perPod",schemaPath:"#/anyOf/1/properties/perPod/additionalProperties",keyword:"additionalProperties",params:{
additionalProperty:key1}};vErrors===null?vErrors=[err10]:vErrors.push(err10),errors++}if(data2.min!==void 0){let data3=data2.min;if(!(typeof data3=="number"&&!(data3%
1)&&!isNaN(data3)&&isFinite(data3))){const err11={instancePath:instancePath+"/perPod/min",schemaPath:"#/anyOf/1/properties/perPod/properties/min/type",keyword:"\
type",params:{type:"integer"}};vErrors===null?vErrors=[err11]:vErrors.push(err11),errors++}if(typeof data3=="number"&&isFinite(data3)){if(data3>1e6||isNaN(data3)){
const err12={instancePath:instancePath+"/perPod/min",schemaPath:"#/anyOf/1/properties/perPod/properties/min/maximum",keyword:"maximum",params:{comparison:"<=",limit:1e6}};
vErrors===null?vErrors=[err12]:vErrors.push(err12),errors++}if(data3<1||isNaN(data3)){const err13={instancePath:instancePath+"/perPod/min",schemaPath:"#/anyOf/1\
/properties/perPod/properties/min/minimum",keyword:"minimum",params:{comparison:">=",limit:1}};vErrors===null?vErrors=[err13]:vErrors.push(err13),errors++}}}if(data2.
max!==void 0){let data4=data2.max;if(!(typeof data4=="number"&&!(data4%1)&&!isNaN(data4)&&isFinite(data4))){const err14={instancePath:instancePath+"/perPod/max",
schemaPath:"#/anyOf/1/properties/perPod/properties/max/type",keyword:"type",params:{type:"integer"}};vErrors===null?vErrors=[err14]:vErrors.push(err14),errors++}
if(typeof data4=="number"&&isFinite(data4)){if(data4>1e6||isNaN(data4)){const err15={instancePath:instancePath+"/perPod/max",schemaPath:"#/anyOf/1/properties/pe\
rPod/properties/max/maximum",keyword:"maximum",params:{comparison:"<=",limit:1e6}};vErrors===null?vErrors=[err15]:vErrors.push(err15),errors++}if(data4<1||isNaN(
data4)){const err16={instancePath:instancePath+"/perPod/max",schemaPath:"#/anyOf/1/properties/perPod/properties/max/minimum",keyword:"minimum",params:{comparison:"\
>=",limit:1}};vErrors===null?vErrors=[err16]:vErrors.push(err16),errors++}}}if(data2.default!==void 0){let data5=data2.default;if(!(typeof data5=="number"&&!(data5%
1)&&!isNaN(data5)&&isFinite(data5))){const err17={instancePath:instancePath+"/perPod/default",schemaPath:"#/anyOf/1/properties/perPod/properties/default/type",keyword:"\
type",params:{type:"integer"}};vErrors===null?vErrors=[err17]:vErrors.push(err17),errors++}if(typeof data5=="number"&&isFinite(data5)){if(data5>1e6||isNaN(data5)){
const err18={instancePath:instancePath+"/perPod/default",schemaPath:"#/anyOf/1/properties/perPod/properties/default/maximum",keyword:"maximum",params:{comparison:"\
<=",limit:1e6}};vErrors===null?vErrors=[err18]:vErrors.push(err18),errors++}if(data5<1||isNaN(data5)){const err19={instancePath:instancePath+"/perPod/default",schemaPath:"\
#/anyOf/1/properties/perPod/properties/default/minimum",keyword:"minimum",params:{comparison:">=",limit:1}};vErrors===null?vErrors=[err19]:vErrors.push(err19),errors++}}}}else{
const err20={instancePath:instancePath+"/perPod",schemaPath:"#/anyOf/1/properties/perPod/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err20]:
vErrors.push(err20),errors++}}if(data.align!==void 0){let data6=data.align;if(data6&&typeof data6=="object"&&!Array.isArray(data6)){for(const key2 in data6)if(!(key2===
"gpus"||key2==="nics")){const err21={instancePath:instancePath+"/align",schemaPath:"#/anyOf/1/properties/align/additionalProperties",keyword:"additionalProperti\
es",params:{additionalProperty:key2}};vErrors===null?vErrors=[err21]:vErrors.push(err21),errors++}if(data6.gpus!==void 0){let data7=data6.gpus;if(data7&&typeof data7==
"object"&&!Array.isArray(data7)){for(const key3 in data7)if(!(key3==="level"||key3==="mode")){const err22={instancePath:instancePath+"/align/gpus",schemaPath:"#\
/anyOf/1/properties/align/properties/gpus/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key3}};vErrors===null?vErrors=[err22]:
vErrors.push(err22),errors++}if(data7.level!==void 0){let data8=data7.level;if(typeof data8!="string"){const err23={instancePath:instancePath+"/align/gpus/level",
schemaPath:"#/anyOf/1/properties/align/properties/gpus/properties/level/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err23]:vErrors.push(
err23),errors++}if(!(data8==="nvlink"||data8==="numa"||data8==="pcie")){const err24={instancePath:instancePath+"/align/gpus/level",schemaPath:"#/anyOf/1/propert\
ies/align/properties/gpus/properties/level/enum",keyword:"enum",params:{allowedValues:schema24.anyOf[1].properties.align.properties.gpus.properties.level.enum}};
vErrors===null?vErrors=[err24]:vErrors.push(err24),errors++}}if(data7.mode!==void 0){let data9=data7.mode;if(typeof data9!="string"){const err25={instancePath:instancePath+
"/align/gpus/mode",schemaPath:"#/anyOf/1/properties/align/properties/gpus/properties/mode/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err25]:
vErrors.push(err25),errors++}if(!(data9==="required"||data9==="preferred")){const err26={instancePath:instancePath+"/align/gpus/mode",schemaPath:"#/anyOf/1/prop\
erties/align/properties/gpus/properties/mode/enum",keyword:"enum",params:{allowedValues:schema24.anyOf[1].properties.align.properties.gpus.properties.mode.enum}};
vErrors===null?vErrors=[err26]:vErrors.push(err26),errors++}}}else{const err27={instancePath:instancePath+"/align/gpus",schemaPath:"#/anyOf/1/properties/align/p\
roperties/gpus/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err27]:vErrors.push(err27),errors++}}if(data6.nics!==void 0){let data10=data6.
nics;if(data10&&typeof data10=="object"&&!Array.isArray(data10)){for(const key4 in data10)if(!(key4==="level"||key4==="mode"||key4==="count"||key4==="per")){const err28={
instancePath:instancePath+"/align/nics",schemaPath:"#/anyOf/1/properties/align/properties/nics/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key4}};
vErrors===null?vErrors=[err28]:vErrors.push(err28),errors++}if(data10.level!==void 0){let data11=data10.level;if(typeof data11!="string"){const err29={instancePath:instancePath+
"/align/nics/level",schemaPath:"#/anyOf/1/properties/align/properties/nics/properties/level/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=
[err29]:vErrors.push(err29),errors++}if(!(data11==="numa"||data11==="pcie")){const err30={instancePath:instancePath+"/align/nics/level",schemaPath:"#/anyOf/1/pr\
operties/align/properties/nics/properties/level/enum",keyword:"enum",params:{allowedValues:schema24.anyOf[1].properties.align.properties.nics.properties.level.enum}};
vErrors===null?vErrors=[err30]:vErrors.push(err30),errors++}}if(data10.mode!==void 0){let data12=data10.mode;if(typeof data12!="string"){const err31={instancePath:instancePath+
"/align/nics/mode",schemaPath:"#/anyOf/1/properties/align/properties/nics/properties/mode/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err31]:
vErrors.push(err31),errors++}if(!(data12==="required"||data12==="preferred")){const err32={instancePath:instancePath+"/align/nics/mode",schemaPath:"#/anyOf/1/pr\
operties/align/properties/nics/properties/mode/enum",keyword:"enum",params:{allowedValues:schema24.anyOf[1].properties.align.properties.nics.properties.mode.enum}};
vErrors===null?vErrors=[err32]:vErrors.push(err32),errors++}}if(data10.count!==void 0){let data13=data10.count;if(!(typeof data13=="number"&&!(data13%1)&&!isNaN(
data13)&&isFinite(data13))){const err33={instancePath:instancePath+"/align/nics/count",schemaPath:"#/anyOf/1/properties/align/properties/nics/properties/count/t\
ype",keyword:"type",params:{type:"integer"}};vErrors===null?vErrors=[err33]:vErrors.push(err33),errors++}if(typeof data13=="number"&&isFinite(data13)){if(data13>
1e6||isNaN(data13)){const err34={instancePath:instancePath+"/align/nics/count",schemaPath:"#/anyOf/1/properties/align/properties/nics/properties/count/maximum",
keyword:"maximum",params:{comparison:"<=",limit:1e6}};vErrors===null?vErrors=[err34]:vErrors.push(err34),errors++}if(data13<1||isNaN(data13)){const err35={instancePath:instancePath+
"/align/nics/count",schemaPath:"#/anyOf/1/properties/align/properties/nics/properties/count/minimum",keyword:"minimum",params:{comparison:">=",limit:1}};vErrors===
null?vErrors=[err35]:vErrors.push(err35),errors++}}}if(data10.per!==void 0){let data14=data10.per;if(typeof data14!="string"){const err36={instancePath:instancePath+
"/align/nics/per",schemaPath:"#/anyOf/1/properties/align/properties/nics/properties/per/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err36]:
vErrors.push(err36),errors++}if(!(data14==="gpu"||data14==="pod")){const err37={instancePath:instancePath+"/align/nics/per",schemaPath:"#/anyOf/1/properties/ali\
gn/properties/nics/properties/per/enum",keyword:"enum",params:{allowedValues:schema24.anyOf[1].properties.align.properties.nics.properties.per.enum}};vErrors===
null?vErrors=[err37]:vErrors.push(err37),errors++}}}else{const err38={instancePath:instancePath+"/align/nics",schemaPath:"#/anyOf/1/properties/align/properties/\
nics/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err38]:vErrors.push(err38),errors++}}}else{const err39={instancePath:instancePath+"/al\
ign",schemaPath:"#/anyOf/1/properties/align/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err39]:vErrors.push(err39),errors++}}}else{const err40={
instancePath,schemaPath:"#/anyOf/1/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err40]:vErrors.push(err40),errors++}var _valid0=_errs3===
errors;if(valid0=valid0||_valid0,_valid0)var props0=!0;if(valid0)errors=_errs0,vErrors!==null&&(_errs0?vErrors.length=_errs0:vErrors=null);else{const err41={instancePath,
schemaPath:"#/anyOf",keyword:"anyOf",params:{}};vErrors===null?vErrors=[err41]:vErrors.push(err41),errors++}return validate61.errors=vErrors,evaluated0.props=props0,
errors===0}validate61.evaluated={dynamicProps:!0,dynamicItems:!1};const schema25={$id:"https://plimsoll.dev/v1alpha1/parts/tenancy.json",type:"object",properties:{
namespaces:{type:"object",properties:{matchLabels:{type:"object",propertyNames:{type:"string",pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-\
9_.]*[A-Za-z0-9])?$",maxLength:316},additionalProperties:{type:"string",pattern:"^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$",maxLength:63},maxProperties:128},
matchExpressions:{type:"array",maxItems:64,items:{type:"object",properties:{key:{type:"string",pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0\
-9_.]*[A-Za-z0-9])?$",maxLength:316},operator:{type:"string",enum:["In","NotIn","Exists","DoesNotExist"]},values:{type:"array",items:{type:"string",maxLength:63},
minItems:0,maxItems:256,uniqueItems:!0}},required:["key","operator"],additionalProperties:!1}}},additionalProperties:!1},isolation:{type:"string",enum:["shared",
"dedicated"]},networkPolicy:{type:"string",enum:["default-deny","none"]},serviceAccount:{type:"string",enum:["required","any"]},priorityClassName:{type:"string",
pattern:"^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$",maxLength:253},limits:{type:"object",properties:{accelerators:{type:"integer",minimum:0,maximum:1e6}},additionalProperties:!1}},
additionalProperties:!1},pattern11=new RegExp("^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$","u"),pattern12=new RegExp("^([A-Za-\
z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$","u"),pattern14=new RegExp("^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$","u");function validate63(data,{instancePath="",parentData,parentDataProperty,
rootData=data,dynamicAnchors={}}={}){let vErrors=null,errors=0;const evaluated0=validate63.evaluated;if(evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.
dynamicItems&&(evaluated0.items=void 0),data&&typeof data=="object"&&!Array.isArray(data)){for(const key0 in data)if(!(key0==="namespaces"||key0==="isolation"||
key0==="networkPolicy"||key0==="serviceAccount"||key0==="priorityClassName"||key0==="limits")){const err0={instancePath,schemaPath:"#/additionalProperties",keyword:"\
additionalProperties",params:{additionalProperty:key0}};vErrors===null?vErrors=[err0]:vErrors.push(err0),errors++}if(data.namespaces!==void 0){let data0=data.namespaces;
if(data0&&typeof data0=="object"&&!Array.isArray(data0)){for(const key1 in data0)if(!(key1==="matchLabels"||key1==="matchExpressions")){const err1={instancePath:instancePath+
"/namespaces",schemaPath:"#/properties/namespaces/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key1}};vErrors===null?vErrors=
[err1]:vErrors.push(err1),errors++}if(data0.matchLabels!==void 0){let data1=data0.matchLabels;if(data1&&typeof data1=="object"&&!Array.isArray(data1)){if(Object.
keys(data1).length>128){const err2={instancePath:instancePath+"/namespaces/matchLabels",schemaPath:"#/properties/namespaces/properties/matchLabels/maxProperties",
keyword:"maxProperties",params:{limit:128}};vErrors===null?vErrors=[err2]:vErrors.push(err2),errors++}for(const key2 in data1){const _errs7=errors;if(typeof key2==
"string"){if(key2.length>316){const err3={instancePath:instancePath+"/namespaces/matchLabels",schemaPath:"#/properties/namespaces/properties/matchLabels/propert\
yNames/maxLength",keyword:"maxLength",params:{limit:316},propertyName:key2};vErrors===null?vErrors=[err3]:vErrors.push(err3),errors++}if(!pattern11.test(key2)){
const err4={instancePath:instancePath+"/namespaces/matchLabels",schemaPath:"#/properties/namespaces/properties/matchLabels/propertyNames/pattern",keyword:"patte\
rn",params:{pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$"},propertyName:key2};vErrors===null?vErrors=[err4]:vErrors.push(
err4),errors++}}else{const err5={instancePath:instancePath+"/namespaces/matchLabels",schemaPath:"#/properties/namespaces/properties/matchLabels/propertyNames/ty\
pe",keyword:"type",params:{type:"string"},propertyName:key2};vErrors===null?vErrors=[err5]:vErrors.push(err5),errors++}var valid2=_errs7===errors;if(!valid2){const err6={
instancePath:instancePath+"/namespaces/matchLabels",schemaPath:"#/properties/namespaces/properties/matchLabels/propertyNames",keyword:"propertyNames",params:{propertyName:key2}};
vErrors===null?vErrors=[err6]:vErrors.push(err6),errors++}}for(const key3 in data1){let data2=data1[key3];if(typeof data2=="string"){if(data2.length>63){const err7={
instancePath:instancePath+"/namespaces/matchLabels/"+key3.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/namespaces/properties/matchLabels/addi\
tionalProperties/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err7]:vErrors.push(err7),errors++}if(!pattern12.test(data2)){const err8={
instancePath:instancePath+"/namespaces/matchLabels/"+key3.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/namespaces/properties/matchLabels/addi\
tionalProperties/pattern",keyword:"pattern",params:{pattern:"^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$"}};vErrors===null?vErrors=[err8]:vErrors.push(err8),errors++}}else{
const err9={instancePath:instancePath+"/namespaces/matchLabels/"+key3.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/namespaces/properties/matc\
hLabels/additionalProperties/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err9]:vErrors.push(err9),errors++}}}else{const err10={instancePath:instancePath+
"/namespaces/matchLabels",schemaPath:"#/properties/namespaces/properties/matchLabels/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err10]:
vErrors.push(err10),errors++}}if(data0.matchExpressions!==void 0){let data3=data0.matchExpressions;if(Array.isArray(data3)){if(data3.length>64){const err11={instancePath:instancePath+
"/namespaces/matchExpressions",schemaPath:"#/properties/namespaces/properties/matchExpressions/maxItems",keyword:"maxItems",params:{limit:64}};vErrors===null?vErrors=
[err11]:vErrors.push(err11),errors++}const len0=data3.length;for(let i0=0;i0<len0;i0++){let data4=data3[i0];if(data4&&typeof data4=="object"&&!Array.isArray(data4)){
if(data4.key===void 0){const err12={instancePath:instancePath+"/namespaces/matchExpressions/"+i0,schemaPath:"#/properties/namespaces/properties/matchExpressions\
/items/required",keyword:"required",params:{missingProperty:"key"}};vErrors===null?vErrors=[err12]:vErrors.push(err12),errors++}if(data4.operator===void 0){const err13={
instancePath:instancePath+"/namespaces/matchExpressions/"+i0,schemaPath:"#/properties/namespaces/properties/matchExpressions/items/required",keyword:"required",
params:{missingProperty:"operator"}};vErrors===null?vErrors=[err13]:vErrors.push(err13),errors++}for(const key4 in data4)if(!(key4==="key"||key4==="operator"||key4===
"values")){const err14={instancePath:instancePath+"/namespaces/matchExpressions/"+i0,schemaPath:"#/properties/namespaces/properties/matchExpressions/items/addit\
ionalProperties",keyword:"additionalProperties",params:{additionalProperty:key4}};vErrors===null?vErrors=[err14]:vErrors.push(err14),errors++}if(data4.key!==void 0){
let data5=data4.key;if(typeof data5=="string"){if(data5.length>316){const err15={instancePath:instancePath+"/namespaces/matchExpressions/"+i0+"/key",schemaPath:"\
#/properties/namespaces/properties/matchExpressions/items/properties/key/maxLength",keyword:"maxLength",params:{limit:316}};vErrors===null?vErrors=[err15]:vErrors.
push(err15),errors++}if(!pattern11.test(data5)){const err16={instancePath:instancePath+"/namespaces/matchExpressions/"+i0+"/key",schemaPath:"#/properties/namesp\
aces/properties/matchExpressions/items/properties/key/pattern",keyword:"pattern",params:{pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*\
[A-Za-z0-9])?$"}};vErrors===null?vErrors=[err16]:vErrors.push(err16),errors++}}else{const err17={instancePath:instancePath+"/namespaces/matchExpressions/"+i0+"/\
key",schemaPath:"#/properties/namespaces/properties/matchExpressions/items/properties/key/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err17]:
vErrors.push(err17),errors++}}if(data4.operator!==void 0){let data6=data4.operator;if(typeof data6!="string"){const err18={instancePath:instancePath+"/namespace\
s/matchExpressions/"+i0+"/operator",schemaPath:"#/properties/namespaces/properties/matchExpressions/items/properties/operator/type",keyword:"type",params:{type:"\
string"}};vErrors===null?vErrors=[err18]:vErrors.push(err18),errors++}if(!(data6==="In"||data6==="NotIn"||data6==="Exists"||data6==="DoesNotExist")){const err19={
instancePath:instancePath+"/namespaces/matchExpressions/"+i0+"/operator",schemaPath:"#/properties/namespaces/properties/matchExpressions/items/properties/operat\
or/enum",keyword:"enum",params:{allowedValues:schema25.properties.namespaces.properties.matchExpressions.items.properties.operator.enum}};vErrors===null?vErrors=
[err19]:vErrors.push(err19),errors++}}if(data4.values!==void 0){let data7=data4.values;if(Array.isArray(data7)){if(data7.length>256){const err20={instancePath:instancePath+
"/namespaces/matchExpressions/"+i0+"/values",schemaPath:"#/properties/namespaces/properties/matchExpressions/items/properties/values/maxItems",keyword:"maxItems",
params:{limit:256}};vErrors===null?vErrors=[err20]:vErrors.push(err20),errors++}if(data7.length<0){const err21={instancePath:instancePath+"/namespaces/matchExpr\
essions/"+i0+"/values",schemaPath:"#/properties/namespaces/properties/matchExpressions/items/properties/values/minItems",keyword:"minItems",params:{limit:0}};vErrors===
null?vErrors=[err21]:vErrors.push(err21),errors++}const len1=data7.length;for(let i1=0;i1<len1;i1++){let data8=data7[i1];if(typeof data8=="string"){if(data8.length>
63){const err22={instancePath:instancePath+"/namespaces/matchExpressions/"+i0+"/values/"+i1,schemaPath:"#/properties/namespaces/properties/matchExpressions/item\
s/properties/values/items/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err22]:vErrors.push(err22),errors++}}else{const err23={instancePath:instancePath+
"/namespaces/matchExpressions/"+i0+"/values/"+i1,schemaPath:"#/properties/namespaces/properties/matchExpressions/items/properties/values/items/type",keyword:"ty\
pe",params:{type:"string"}};vErrors===null?vErrors=[err23]:vErrors.push(err23),errors++}}let i2=data7.length,j0;if(i2>1){const indices0={};for(;i2--;){let item0=data7[i2];
if(typeof item0=="string"){if(typeof indices0[item0]=="number"){j0=indices0[item0];const err24={instancePath:instancePath+"/namespaces/matchExpressions/"+i0+"/v\
alues",schemaPath:"#/properties/namespaces/properties/matchExpressions/items/properties/values/uniqueItems",keyword:"uniqueItems",params:{i:i2,j:j0}};vErrors===
null?vErrors=[err24]:vErrors.push(err24),errors++;break}indices0[item0]=i2}}}}else{const err25={instancePath:instancePath+"/namespaces/matchExpressions/"+i0+"/v\
alues",schemaPath:"#/properties/namespaces/properties/matchExpressions/items/properties/values/type",keyword:"type",params:{type:"array"}};vErrors===null?vErrors=
[err25]:vErrors.push(err25),errors++}}}else{const err26={instancePath:instancePath+"/namespaces/matchExpressions/"+i0,schemaPath:"#/properties/namespaces/proper\
ties/matchExpressions/items/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err26]:vErrors.push(err26),errors++}}}else{const err27={instancePath:instancePath+
"/namespaces/matchExpressions",schemaPath:"#/properties/namespaces/properties/matchExpressions/type",keyword:"type",params:{type:"array"}};vErrors===null?vErrors=
[err27]:vErrors.push(err27),errors++}}}else{const err28={instancePath:instancePath+"/namespaces",schemaPath:"#/properties/namespaces/type",keyword:"type",params:{
type:"object"}};vErrors===null?vErrors=[err28]:vErrors.push(err28),errors++}}if(data.isolation!==void 0){let data9=data.isolation;if(typeof data9!="string"){const err29={
instancePath:instancePath+"/isolation",schemaPath:"#/properties/isolation/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err29]:vErrors.push(
err29),errors++}if(!(data9==="shared"||data9==="dedicated")){const err30={instancePath:instancePath+"/isolation",schemaPath:"#/properties/isolation/enum",keyword:"\
enum",params:{allowedValues:schema25.properties.isolation.enum}};vErrors===null?vErrors=[err30]:vErrors.push(err30),errors++}}if(data.networkPolicy!==void 0){let data10=data.
networkPolicy;if(typeof data10!="string"){const err31={instancePath:instancePath+"/networkPolicy",schemaPath:"#/properties/networkPolicy/type",keyword:"type",params:{
type:"string"}};vErrors===null?vErrors=[err31]:vErrors.push(err31),errors++}if(!(data10==="default-deny"||data10==="none")){const err32={instancePath:instancePath+
"/networkPolicy",schemaPath:"#/properties/networkPolicy/enum",keyword:"enum",params:{allowedValues:schema25.properties.networkPolicy.enum}};vErrors===null?vErrors=
[err32]:vErrors.push(err32),errors++}}if(data.serviceAccount!==void 0){let data11=data.serviceAccount;if(typeof data11!="string"){const err33={instancePath:instancePath+
"/serviceAccount",schemaPath:"#/properties/serviceAccount/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err33]:vErrors.push(err33),errors++}
if(!(data11==="required"||data11==="any")){const err34={instancePath:instancePath+"/serviceAccount",schemaPath:"#/properties/serviceAccount/enum",keyword:"enum",
params:{allowedValues:schema25.properties.serviceAccount.enum}};vErrors===null?vErrors=[err34]:vErrors.push(err34),errors++}}if(data.priorityClassName!==void 0){
let data12=data.priorityClassName;if(typeof data12=="string"){if(data12.length>253){const err35={instancePath:instancePath+"/priorityClassName",schemaPath:"#/pr\
operties/priorityClassName/maxLength",keyword:"maxLength",params:{limit:253}};vErrors===null?vErrors=[err35]:vErrors.push(err35),errors++}if(!pattern14.test(data12)){
const err36={instancePath:instancePath+"/priorityClassName",schemaPath:"#/properties/priorityClassName/pattern",keyword:"pattern",params:{pattern:"^[a-z0-9]([-a\
-z0-9.]*[a-z0-9])?$"}};vErrors===null?vErrors=[err36]:vErrors.push(err36),errors++}}else{const err37={instancePath:instancePath+"/priorityClassName",schemaPath:"\
#/properties/priorityClassName/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err37]:vErrors.push(err37),errors++}}if(data.limits!==void 0){
let data13=data.limits;if(data13&&typeof data13=="object"&&!Array.isArray(data13)){for(const key5 in data13)if(key5!=="accelerators"){const err38={instancePath:instancePath+
"/limits",schemaPath:"#/properties/limits/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key5}};vErrors===null?vErrors=[err38]:
vErrors.push(err38),errors++}if(data13.accelerators!==void 0){let data14=data13.accelerators;if(!(typeof data14=="number"&&!(data14%1)&&!isNaN(data14)&&isFinite(
data14))){const err39={instancePath:instancePath+"/limits/accelerators",schemaPath:"#/properties/limits/properties/accelerators/type",keyword:"type",params:{type:"\
integer"}};vErrors===null?vErrors=[err39]:vErrors.push(err39),errors++}if(typeof data14=="number"&&isFinite(data14)){if(data14>1e6||isNaN(data14)){const err40={
instancePath:instancePath+"/limits/accelerators",schemaPath:"#/properties/limits/properties/accelerators/maximum",keyword:"maximum",params:{comparison:"<=",limit:1e6}};
vErrors===null?vErrors=[err40]:vErrors.push(err40),errors++}if(data14<0||isNaN(data14)){const err41={instancePath:instancePath+"/limits/accelerators",schemaPath:"\
#/properties/limits/properties/accelerators/minimum",keyword:"minimum",params:{comparison:">=",limit:0}};vErrors===null?vErrors=[err41]:vErrors.push(err41),errors++}}}}else{
const err42={instancePath:instancePath+"/limits",schemaPath:"#/properties/limits/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err42]:vErrors.
push(err42),errors++}}}else{const err43={instancePath,schemaPath:"#/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err43]:vErrors.push(err43),
errors++}return validate63.errors=vErrors,errors===0}validate63.evaluated={props:!0,dynamicProps:!1,dynamicItems:!1};const schema26={$id:"https://plimsoll.dev/v\
1alpha1/parts/startup.json",type:"object",properties:{cost:{type:"string",pattern:"^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$",maxLength:32},readinessProbe:{type:"string",
enum:["required","optional"]},startupProbe:{type:"string",enum:["required","optional"]},warmCapacity:{type:"object",properties:{replicas:{type:"integer",minimum:0,
maximum:1e6}},additionalProperties:!1}},additionalProperties:!1};function validate65(data,{instancePath="",parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){
let vErrors=null,errors=0;const evaluated0=validate65.evaluated;if(evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.dynamicItems&&(evaluated0.items=
void 0),data&&typeof data=="object"&&!Array.isArray(data)){for(const key0 in data)if(!(key0==="cost"||key0==="readinessProbe"||key0==="startupProbe"||key0==="wa\
rmCapacity")){const err0={instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key0}};vErrors===null?vErrors=
[err0]:vErrors.push(err0),errors++}if(data.cost!==void 0){let data0=data.cost;if(typeof data0=="string"){if(data0.length>32){const err1={instancePath:instancePath+
"/cost",schemaPath:"#/properties/cost/maxLength",keyword:"maxLength",params:{limit:32}};vErrors===null?vErrors=[err1]:vErrors.push(err1),errors++}if(!pattern3.test(
data0)){const err2={instancePath:instancePath+"/cost",schemaPath:"#/properties/cost/pattern",keyword:"pattern",params:{pattern:"^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$"}};
vErrors===null?vErrors=[err2]:vErrors.push(err2),errors++}}else{const err3={instancePath:instancePath+"/cost",schemaPath:"#/properties/cost/type",keyword:"type",
params:{type:"string"}};vErrors===null?vErrors=[err3]:vErrors.push(err3),errors++}}if(data.readinessProbe!==void 0){let data1=data.readinessProbe;if(typeof data1!=
"string"){const err4={instancePath:instancePath+"/readinessProbe",schemaPath:"#/properties/readinessProbe/type",keyword:"type",params:{type:"string"}};vErrors===
null?vErrors=[err4]:vErrors.push(err4),errors++}if(!(data1==="required"||data1==="optional")){const err5={instancePath:instancePath+"/readinessProbe",schemaPath:"\
#/properties/readinessProbe/enum",keyword:"enum",params:{allowedValues:schema26.properties.readinessProbe.enum}};vErrors===null?vErrors=[err5]:vErrors.push(err5),
errors++}}if(data.startupProbe!==void 0){let data2=data.startupProbe;if(typeof data2!="string"){const err6={instancePath:instancePath+"/startupProbe",schemaPath:"\
#/properties/startupProbe/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err6]:vErrors.push(err6),errors++}if(!(data2==="required"||data2===
"optional")){const err7={instancePath:instancePath+"/startupProbe",schemaPath:"#/properties/startupProbe/enum",keyword:"enum",params:{allowedValues:schema26.properties.
startupProbe.enum}};vErrors===null?vErrors=[err7]:vErrors.push(err7),errors++}}if(data.warmCapacity!==void 0){let data3=data.warmCapacity;if(data3&&typeof data3==
"object"&&!Array.isArray(data3)){for(const key1 in data3)if(key1!=="replicas"){const err8={instancePath:instancePath+"/warmCapacity",schemaPath:"#/properties/wa\
rmCapacity/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key1}};vErrors===null?vErrors=[err8]:vErrors.push(err8),errors++}if(data3.
replicas!==void 0){let data4=data3.replicas;if(!(typeof data4=="number"&&!(data4%1)&&!isNaN(data4)&&isFinite(data4))){const err9={instancePath:instancePath+"/wa\
rmCapacity/replicas",schemaPath:"#/properties/warmCapacity/properties/replicas/type",keyword:"type",params:{type:"integer"}};vErrors===null?vErrors=[err9]:vErrors.
push(err9),errors++}if(typeof data4=="number"&&isFinite(data4)){if(data4>1e6||isNaN(data4)){const err10={instancePath:instancePath+"/warmCapacity/replicas",schemaPath:"\
#/properties/warmCapacity/properties/replicas/maximum",keyword:"maximum",params:{comparison:"<=",limit:1e6}};vErrors===null?vErrors=[err10]:vErrors.push(err10),
errors++}if(data4<0||isNaN(data4)){const err11={instancePath:instancePath+"/warmCapacity/replicas",schemaPath:"#/properties/warmCapacity/properties/replicas/min\
imum",keyword:"minimum",params:{comparison:">=",limit:0}};vErrors===null?vErrors=[err11]:vErrors.push(err11),errors++}}}}else{const err12={instancePath:instancePath+
"/warmCapacity",schemaPath:"#/properties/warmCapacity/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err12]:vErrors.push(err12),errors++}}}else{
const err13={instancePath,schemaPath:"#/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err13]:vErrors.push(err13),errors++}return validate65.
errors=vErrors,errors===0}validate65.evaluated={props:!0,dynamicProps:!1,dynamicItems:!1};const schema27={$id:"https://plimsoll.dev/v1alpha1/parts/topology.json",
type:"object",properties:{unit:{type:"string",enum:["pod","podSet","group","workload"]},groupSize:{type:"integer",minimum:1,maximum:1e6},within:{type:"string",pattern:"\
^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",maxLength:63},domains:{type:"string",enum:["shared","separate"]},level:{type:"string",pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
maxLength:63},mode:{type:"string",enum:["required","preferred"]},pin:{type:"string",enum:["none","domain"]},spread:{type:"object",properties:{level:{type:"strin\
g",pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",maxLength:63},maxSkew:{type:"integer",minimum:1,maximum:1e6},minDomains:{type:"integer",minimum:1,maximum:1e6},mode:{
type:"string",enum:["required","preferred"]}},additionalProperties:!1}},additionalProperties:!1};function validate67(data,{instancePath="",parentData,parentDataProperty,
rootData=data,dynamicAnchors={}}={}){let vErrors=null,errors=0;const evaluated0=validate67.evaluated;if(evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.
dynamicItems&&(evaluated0.items=void 0),data&&typeof data=="object"&&!Array.isArray(data)){for(const key0 in data)if(!(key0==="unit"||key0==="groupSize"||key0===
"within"||key0==="domains"||key0==="level"||key0==="mode"||key0==="pin"||key0==="spread")){const err0={instancePath,schemaPath:"#/additionalProperties",keyword:"\
additionalProperties",params:{additionalProperty:key0}};vErrors===null?vErrors=[err0]:vErrors.push(err0),errors++}if(data.unit!==void 0){let data0=data.unit;if(typeof data0!=
"string"){const err1={instancePath:instancePath+"/unit",schemaPath:"#/properties/unit/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err1]:
vErrors.push(err1),errors++}if(!(data0==="pod"||data0==="podSet"||data0==="group"||data0==="workload")){const err2={instancePath:instancePath+"/unit",schemaPath:"\
#/properties/unit/enum",keyword:"enum",params:{allowedValues:schema27.properties.unit.enum}};vErrors===null?vErrors=[err2]:vErrors.push(err2),errors++}}if(data.
groupSize!==void 0){let data1=data.groupSize;if(!(typeof data1=="number"&&!(data1%1)&&!isNaN(data1)&&isFinite(data1))){const err3={instancePath:instancePath+"/g\
roupSize",schemaPath:"#/properties/groupSize/type",keyword:"type",params:{type:"integer"}};vErrors===null?vErrors=[err3]:vErrors.push(err3),errors++}if(typeof data1==
"number"&&isFinite(data1)){if(data1>1e6||isNaN(data1)){const err4={instancePath:instancePath+"/groupSize",schemaPath:"#/properties/groupSize/maximum",keyword:"m\
aximum",params:{comparison:"<=",limit:1e6}};vErrors===null?vErrors=[err4]:vErrors.push(err4),errors++}if(data1<1||isNaN(data1)){const err5={instancePath:instancePath+
"/groupSize",schemaPath:"#/properties/groupSize/minimum",keyword:"minimum",params:{comparison:">=",limit:1}};vErrors===null?vErrors=[err5]:vErrors.push(err5),errors++}}}
if(data.within!==void 0){let data2=data.within;if(typeof data2=="string"){if(data2.length>63){const err6={instancePath:instancePath+"/within",schemaPath:"#/prop\
erties/within/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err6]:vErrors.push(err6),errors++}if(!pattern10.test(data2)){const err7={
instancePath:instancePath+"/within",schemaPath:"#/properties/within/pattern",keyword:"pattern",params:{pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}};vErrors===null?
vErrors=[err7]:vErrors.push(err7),errors++}}else{const err8={instancePath:instancePath+"/within",schemaPath:"#/properties/within/type",keyword:"type",params:{type:"\
string"}};vErrors===null?vErrors=[err8]:vErrors.push(err8),errors++}}if(data.domains!==void 0){let data3=data.domains;if(typeof data3!="string"){const err9={instancePath:instancePath+
"/domains",schemaPath:"#/properties/domains/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err9]:vErrors.push(err9),errors++}if(!(data3===
"shared"||data3==="separate")){const err10={instancePath:instancePath+"/domains",schemaPath:"#/properties/domains/enum",keyword:"enum",params:{allowedValues:schema27.
properties.domains.enum}};vErrors===null?vErrors=[err10]:vErrors.push(err10),errors++}}if(data.level!==void 0){let data4=data.level;if(typeof data4=="string"){if(data4.
length>63){const err11={instancePath:instancePath+"/level",schemaPath:"#/properties/level/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=
[err11]:vErrors.push(err11),errors++}if(!pattern10.test(data4)){const err12={instancePath:instancePath+"/level",schemaPath:"#/properties/level/pattern",keyword:"\
pattern",params:{pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}};vErrors===null?vErrors=[err12]:vErrors.push(err12),errors++}}else{const err13={instancePath:instancePath+
"/level",schemaPath:"#/properties/level/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err13]:vErrors.push(err13),errors++}}if(data.mode!==
void 0){let data5=data.mode;if(typeof data5!="string"){const err14={instancePath:instancePath+"/mode",schemaPath:"#/properties/mode/type",keyword:"type",params:{
type:"string"}};vErrors===null?vErrors=[err14]:vErrors.push(err14),errors++}if(!(data5==="required"||data5==="preferred")){const err15={instancePath:instancePath+
"/mode",schemaPath:"#/properties/mode/enum",keyword:"enum",params:{allowedValues:schema27.properties.mode.enum}};vErrors===null?vErrors=[err15]:vErrors.push(err15),
errors++}}if(data.pin!==void 0){let data6=data.pin;if(typeof data6!="string"){const err16={instancePath:instancePath+"/pin",schemaPath:"#/properties/pin/type",keyword:"\
type",params:{type:"string"}};vErrors===null?vErrors=[err16]:vErrors.push(err16),errors++}if(!(data6==="none"||data6==="domain")){const err17={instancePath:instancePath+
"/pin",schemaPath:"#/properties/pin/enum",keyword:"enum",params:{allowedValues:schema27.properties.pin.enum}};vErrors===null?vErrors=[err17]:vErrors.push(err17),
errors++}}if(data.spread!==void 0){let data7=data.spread;if(data7&&typeof data7=="object"&&!Array.isArray(data7)){for(const key1 in data7)if(!(key1==="level"||key1===
"maxSkew"||key1==="minDomains"||key1==="mode")){const err18={instancePath:instancePath+"/spread",schemaPath:"#/properties/spread/additionalProperties",keyword:"\
additionalProperties",params:{additionalProperty:key1}};vErrors===null?vErrors=[err18]:vErrors.push(err18),errors++}if(data7.level!==void 0){let data8=data7.level;
if(typeof data8=="string"){if(data8.length>63){const err19={instancePath:instancePath+"/spread/level",schemaPath:"#/properties/spread/properties/level/maxLength",
keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err19]:vErrors.push(err19),errors++}if(!pattern10.test(data8)){const err20={instancePath:instancePath+
"/spread/level",schemaPath:"#/properties/spread/properties/level/pattern",keyword:"pattern",params:{pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}};vErrors===null?vErrors=
[err20]:vErrors.push(err20),errors++}}else{const err21={instancePath:instancePath+"/spread/level",schemaPath:"#/properties/spread/properties/level/type",keyword:"\
type",params:{type:"string"}};vErrors===null?vErrors=[err21]:vErrors.push(err21),errors++}}if(data7.maxSkew!==void 0){let data9=data7.maxSkew;if(!(typeof data9==
"number"&&!(data9%1)&&!isNaN(data9)&&isFinite(data9))){const err22={instancePath:instancePath+"/spread/maxSkew",schemaPath:"#/properties/spread/properties/maxSk\
ew/type",keyword:"type",params:{type:"integer"}};vErrors===null?vErrors=[err22]:vErrors.push(err22),errors++}if(typeof data9=="number"&&isFinite(data9)){if(data9>
1e6||isNaN(data9)){const err23={instancePath:instancePath+"/spread/maxSkew",schemaPath:"#/properties/spread/properties/maxSkew/maximum",keyword:"maximum",params:{
comparison:"<=",limit:1e6}};vErrors===null?vErrors=[err23]:vErrors.push(err23),errors++}if(data9<1||isNaN(data9)){const err24={instancePath:instancePath+"/sprea\
d/maxSkew",schemaPath:"#/properties/spread/properties/maxSkew/minimum",keyword:"minimum",params:{comparison:">=",limit:1}};vErrors===null?vErrors=[err24]:vErrors.
push(err24),errors++}}}if(data7.minDomains!==void 0){let data10=data7.minDomains;if(!(typeof data10=="number"&&!(data10%1)&&!isNaN(data10)&&isFinite(data10))){const err25={
instancePath:instancePath+"/spread/minDomains",schemaPath:"#/properties/spread/properties/minDomains/type",keyword:"type",params:{type:"integer"}};vErrors===null?
vErrors=[err25]:vErrors.push(err25),errors++}if(typeof data10=="number"&&isFinite(data10)){if(data10>1e6||isNaN(data10)){const err26={instancePath:instancePath+
"/spread/minDomains",schemaPath:"#/properties/spread/properties/minDomains/maximum",keyword:"maximum",params:{comparison:"<=",limit:1e6}};vErrors===null?vErrors=
[err26]:vErrors.push(err26),errors++}if(data10<1||isNaN(data10)){const err27={instancePath:instancePath+"/spread/minDomains",schemaPath:"#/properties/spread/pro\
perties/minDomains/minimum",keyword:"minimum",params:{comparison:">=",limit:1}};vErrors===null?vErrors=[err27]:vErrors.push(err27),errors++}}}if(data7.mode!==void 0){
let data11=data7.mode;if(typeof data11!="string"){const err28={instancePath:instancePath+"/spread/mode",schemaPath:"#/properties/spread/properties/mode/type",keyword:"\
type",params:{type:"string"}};vErrors===null?vErrors=[err28]:vErrors.push(err28),errors++}if(!(data11==="required"||data11==="preferred")){const err29={instancePath:instancePath+
"/spread/mode",schemaPath:"#/properties/spread/properties/mode/enum",keyword:"enum",params:{allowedValues:schema27.properties.spread.properties.mode.enum}};vErrors===
null?vErrors=[err29]:vErrors.push(err29),errors++}}}else{const err30={instancePath:instancePath+"/spread",schemaPath:"#/properties/spread/type",keyword:"type",params:{
type:"object"}};vErrors===null?vErrors=[err30]:vErrors.push(err30),errors++}}}else{const err31={instancePath,schemaPath:"#/type",keyword:"type",params:{type:"ob\
ject"}};vErrors===null?vErrors=[err31]:vErrors.push(err31),errors++}return validate67.errors=vErrors,errors===0}validate67.evaluated={props:!0,dynamicProps:!1,dynamicItems:!1};
const schema28={$id:"https://plimsoll.dev/v1alpha1/parts/capacity.json",type:"object",properties:{types:{type:"array",items:{type:"string",enum:["reserved","on-\
demand","spot"]},minItems:1,maxItems:256,uniqueItems:!0},maxProvisioning:{type:"string",pattern:"^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$",maxLength:32}},additionalProperties:!1};
function validate69(data,{instancePath="",parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){let vErrors=null,errors=0;const evaluated0=validate69.
evaluated;if(evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.dynamicItems&&(evaluated0.items=void 0),data&&typeof data=="object"&&!Array.isArray(data)){
for(const key0 in data)if(!(key0==="types"||key0==="maxProvisioning")){const err0={instancePath,schemaPath:"#/additionalProperties",keyword:"additionalPropertie\
s",params:{additionalProperty:key0}};vErrors===null?vErrors=[err0]:vErrors.push(err0),errors++}if(data.types!==void 0){let data0=data.types;if(Array.isArray(data0)){
if(data0.length>256){const err1={instancePath:instancePath+"/types",schemaPath:"#/properties/types/maxItems",keyword:"maxItems",params:{limit:256}};vErrors===null?
vErrors=[err1]:vErrors.push(err1),errors++}if(data0.length<1){const err2={instancePath:instancePath+"/types",schemaPath:"#/properties/types/minItems",keyword:"m\
inItems",params:{limit:1}};vErrors===null?vErrors=[err2]:vErrors.push(err2),errors++}const len0=data0.length;for(let i0=0;i0<len0;i0++){let data1=data0[i0];if(typeof data1!=
"string"){const err3={instancePath:instancePath+"/types/"+i0,schemaPath:"#/properties/types/items/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=
[err3]:vErrors.push(err3),errors++}if(!(data1==="reserved"||data1==="on-demand"||data1==="spot")){const err4={instancePath:instancePath+"/types/"+i0,schemaPath:"\
#/properties/types/items/enum",keyword:"enum",params:{allowedValues:schema28.properties.types.items.enum}};vErrors===null?vErrors=[err4]:vErrors.push(err4),errors++}}
let i1=data0.length,j0;if(i1>1){const indices0={};for(;i1--;){let item0=data0[i1];if(typeof item0=="string"){if(typeof indices0[item0]=="number"){j0=indices0[item0];
const err5={instancePath:instancePath+"/types",schemaPath:"#/properties/types/uniqueItems",keyword:"uniqueItems",params:{i:i1,j:j0}};vErrors===null?vErrors=[err5]:
vErrors.push(err5),errors++;break}indices0[item0]=i1}}}}else{const err6={instancePath:instancePath+"/types",schemaPath:"#/properties/types/type",keyword:"type",
params:{type:"array"}};vErrors===null?vErrors=[err6]:vErrors.push(err6),errors++}}if(data.maxProvisioning!==void 0){let data2=data.maxProvisioning;if(typeof data2==
"string"){if(data2.length>32){const err7={instancePath:instancePath+"/maxProvisioning",schemaPath:"#/properties/maxProvisioning/maxLength",keyword:"maxLength",params:{
limit:32}};vErrors===null?vErrors=[err7]:vErrors.push(err7),errors++}if(!pattern3.test(data2)){const err8={instancePath:instancePath+"/maxProvisioning",schemaPath:"\
#/properties/maxProvisioning/pattern",keyword:"pattern",params:{pattern:"^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$"}};vErrors===null?vErrors=[err8]:vErrors.push(err8),errors++}}else{
const err9={instancePath:instancePath+"/maxProvisioning",schemaPath:"#/properties/maxProvisioning/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=
[err9]:vErrors.push(err9),errors++}}}else{const err10={instancePath,schemaPath:"#/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err10]:vErrors.
push(err10),errors++}return validate69.errors=vErrors,errors===0}validate69.evaluated={props:!0,dynamicProps:!1,dynamicItems:!1};const schema29={$id:"https://pl\
imsoll.dev/v1alpha1/parts/admission.json",type:"object",properties:{mode:{type:"string",enum:["enforce","warn","audit"]},whenNever:{type:"string",enum:["deny","\
warn","admit"]},whenBusy:{type:"string",enum:["deny","warn","admit"]},whenUnknown:{type:"string",enum:["deny","warn","admit"]},whenUndecided:{type:"string",enum:[
"deny","warn","admit"]},whenScaleUp:{type:"string",enum:["deny","warn","admit"]},rules:{type:"object",propertyNames:{type:"string",pattern:"^[A-Z]{2,4}[0-9]{2,3\
}$"},additionalProperties:{type:"string",enum:["deny","warn","info","off"]},maxProperties:128}},additionalProperties:!1},pattern20=new RegExp("^[A-Z]{2,4}[0-9]{\
2,3}$","u");function validate71(data,{instancePath="",parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){let vErrors=null,errors=0;const evaluated0=validate71.
evaluated;if(evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.dynamicItems&&(evaluated0.items=void 0),data&&typeof data=="object"&&!Array.isArray(data)){
for(const key0 in data)if(!(key0==="mode"||key0==="whenNever"||key0==="whenBusy"||key0==="whenUnknown"||key0==="whenUndecided"||key0==="whenScaleUp"||key0==="ru\
les")){const err0={instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key0}};vErrors===null?vErrors=[err0]:
vErrors.push(err0),errors++}if(data.mode!==void 0){let data0=data.mode;if(typeof data0!="string"){const err1={instancePath:instancePath+"/mode",schemaPath:"#/pr\
operties/mode/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err1]:vErrors.push(err1),errors++}if(!(data0==="enforce"||data0==="warn"||data0===
"audit")){const err2={instancePath:instancePath+"/mode",schemaPath:"#/properties/mode/enum",keyword:"enum",params:{allowedValues:schema29.properties.mode.enum}};
vErrors===null?vErrors=[err2]:vErrors.push(err2),errors++}}if(data.whenNever!==void 0){let data1=data.whenNever;if(typeof data1!="string"){const err3={instancePath:instancePath+
"/whenNever",schemaPath:"#/properties/whenNever/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err3]:vErrors.push(err3),errors++}if(!(data1===
"deny"||data1==="warn"||data1==="admit")){const err4={instancePath:instancePath+"/whenNever",schemaPath:"#/properties/whenNever/enum",keyword:"enum",params:{allowedValues:schema29.
properties.whenNever.enum}};vErrors===null?vErrors=[err4]:vErrors.push(err4),errors++}}if(data.whenBusy!==void 0){let data2=data.whenBusy;if(typeof data2!="stri\
ng"){const err5={instancePath:instancePath+"/whenBusy",schemaPath:"#/properties/whenBusy/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err5]:
vErrors.push(err5),errors++}if(!(data2==="deny"||data2==="warn"||data2==="admit")){const err6={instancePath:instancePath+"/whenBusy",schemaPath:"#/properties/wh\
enBusy/enum",keyword:"enum",params:{allowedValues:schema29.properties.whenBusy.enum}};vErrors===null?vErrors=[err6]:vErrors.push(err6),errors++}}if(data.whenUnknown!==
void 0){let data3=data.whenUnknown;if(typeof data3!="string"){const err7={instancePath:instancePath+"/whenUnknown",schemaPath:"#/properties/whenUnknown/type",keyword:"\
type",params:{type:"string"}};vErrors===null?vErrors=[err7]:vErrors.push(err7),errors++}if(!(data3==="deny"||data3==="warn"||data3==="admit")){const err8={instancePath:instancePath+
"/whenUnknown",schemaPath:"#/properties/whenUnknown/enum",keyword:"enum",params:{allowedValues:schema29.properties.whenUnknown.enum}};vErrors===null?vErrors=[err8]:
vErrors.push(err8),errors++}}if(data.whenUndecided!==void 0){let data4=data.whenUndecided;if(typeof data4!="string"){const err9={instancePath:instancePath+"/whe\
nUndecided",schemaPath:"#/properties/whenUndecided/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err9]:vErrors.push(err9),errors++}if(!(data4===
"deny"||data4==="warn"||data4==="admit")){const err10={instancePath:instancePath+"/whenUndecided",schemaPath:"#/properties/whenUndecided/enum",keyword:"enum",params:{
allowedValues:schema29.properties.whenUndecided.enum}};vErrors===null?vErrors=[err10]:vErrors.push(err10),errors++}}if(data.whenScaleUp!==void 0){let data5=data.
whenScaleUp;if(typeof data5!="string"){const err11={instancePath:instancePath+"/whenScaleUp",schemaPath:"#/properties/whenScaleUp/type",keyword:"type",params:{type:"\
string"}};vErrors===null?vErrors=[err11]:vErrors.push(err11),errors++}if(!(data5==="deny"||data5==="warn"||data5==="admit")){const err12={instancePath:instancePath+
"/whenScaleUp",schemaPath:"#/properties/whenScaleUp/enum",keyword:"enum",params:{allowedValues:schema29.properties.whenScaleUp.enum}};vErrors===null?vErrors=[err12]:
vErrors.push(err12),errors++}}if(data.rules!==void 0){let data6=data.rules;if(data6&&typeof data6=="object"&&!Array.isArray(data6)){if(Object.keys(data6).length>
128){const err13={instancePath:instancePath+"/rules",schemaPath:"#/properties/rules/maxProperties",keyword:"maxProperties",params:{limit:128}};vErrors===null?vErrors=
[err13]:vErrors.push(err13),errors++}for(const key1 in data6){const _errs16=errors;if(typeof key1=="string"){if(!pattern20.test(key1)){const err14={instancePath:instancePath+
"/rules",schemaPath:"#/properties/rules/propertyNames/pattern",keyword:"pattern",params:{pattern:"^[A-Z]{2,4}[0-9]{2,3}$"},propertyName:key1};vErrors===null?vErrors=
[err14]:vErrors.push(err14),errors++}}else{const err15={instancePath:instancePath+"/rules",schemaPath:"#/properties/rules/propertyNames/type",keyword:"type",params:{
type:"string"},propertyName:key1};vErrors===null?vErrors=[err15]:vErrors.push(err15),errors++}var valid1=_errs16===errors;if(!valid1){const err16={instancePath:instancePath+
"/rules",schemaPath:"#/properties/rules/propertyNames",keyword:"propertyNames",params:{propertyName:key1}};vErrors===null?vErrors=[err16]:vErrors.push(err16),errors++}}
for(const key2 in data6){let data7=data6[key2];if(typeof data7!="string"){const err17={instancePath:instancePath+"/rules/"+key2.replace(/~/g,"~0").replace(/\//g,
"~1"),schemaPath:"#/properties/rules/additionalProperties/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err17]:vErrors.push(err17),errors++}
if(!(data7==="deny"||data7==="warn"||data7==="info"||data7==="off")){const err18={instancePath:instancePath+"/rules/"+key2.replace(/~/g,"~0").replace(/\//g,"~1"),
schemaPath:"#/properties/rules/additionalProperties/enum",keyword:"enum",params:{allowedValues:schema29.properties.rules.additionalProperties.enum}};vErrors===null?
vErrors=[err18]:vErrors.push(err18),errors++}}}else{const err19={instancePath:instancePath+"/rules",schemaPath:"#/properties/rules/type",keyword:"type",params:{
type:"object"}};vErrors===null?vErrors=[err19]:vErrors.push(err19),errors++}}}else{const err20={instancePath,schemaPath:"#/type",keyword:"type",params:{type:"ob\
ject"}};vErrors===null?vErrors=[err20]:vErrors.push(err20),errors++}return validate71.errors=vErrors,errors===0}validate71.evaluated={props:!0,dynamicProps:!1,dynamicItems:!1};
function validate52(data,{instancePath="",parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){let vErrors=null,errors=0;const evaluated0=validate52.
evaluated;if(evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.dynamicItems&&(evaluated0.items=void 0),data&&typeof data=="object"&&!Array.isArray(data)){
for(const key0 in data)if(!func1.call(schema19.properties,key0)){const err0={instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{
additionalProperty:key0}};vErrors===null?vErrors=[err0]:vErrors.push(err0),errors++}data.latency!==void 0&&(validate53(data.latency,{instancePath:instancePath+"\
/latency",parentData:data,parentDataProperty:"latency",rootData,dynamicAnchors})||(vErrors=vErrors===null?validate53.errors:vErrors.concat(validate53.errors),errors=
vErrors.length)),data.demand!==void 0&&(validate55(data.demand,{instancePath:instancePath+"/demand",parentData:data,parentDataProperty:"demand",rootData,dynamicAnchors})||
(vErrors=vErrors===null?validate55.errors:vErrors.concat(validate55.errors),errors=vErrors.length)),data.state!==void 0&&(validate57(data.state,{instancePath:instancePath+
"/state",parentData:data,parentDataProperty:"state",rootData,dynamicAnchors})||(vErrors=vErrors===null?validate57.errors:vErrors.concat(validate57.errors),errors=
vErrors.length)),data.interruption!==void 0&&(validate59(data.interruption,{instancePath:instancePath+"/interruption",parentData:data,parentDataProperty:"interr\
uption",rootData,dynamicAnchors})||(vErrors=vErrors===null?validate59.errors:vErrors.concat(validate59.errors),errors=vErrors.length)),data.accelerator!==void 0&&
(validate61(data.accelerator,{instancePath:instancePath+"/accelerator",parentData:data,parentDataProperty:"accelerator",rootData,dynamicAnchors})||(vErrors=vErrors===
null?validate61.errors:vErrors.concat(validate61.errors),errors=vErrors.length)),data.tenancy!==void 0&&(validate63(data.tenancy,{instancePath:instancePath+"/te\
nancy",parentData:data,parentDataProperty:"tenancy",rootData,dynamicAnchors})||(vErrors=vErrors===null?validate63.errors:vErrors.concat(validate63.errors),errors=
vErrors.length)),data.startup!==void 0&&(validate65(data.startup,{instancePath:instancePath+"/startup",parentData:data,parentDataProperty:"startup",rootData,dynamicAnchors})||
(vErrors=vErrors===null?validate65.errors:vErrors.concat(validate65.errors),errors=vErrors.length)),data.topology!==void 0&&(validate67(data.topology,{instancePath:instancePath+
"/topology",parentData:data,parentDataProperty:"topology",rootData,dynamicAnchors})||(vErrors=vErrors===null?validate67.errors:vErrors.concat(validate67.errors),
errors=vErrors.length)),data.capacity!==void 0&&(validate69(data.capacity,{instancePath:instancePath+"/capacity",parentData:data,parentDataProperty:"capacity",rootData,
dynamicAnchors})||(vErrors=vErrors===null?validate69.errors:vErrors.concat(validate69.errors),errors=vErrors.length)),data.admission!==void 0&&(validate71(data.
admission,{instancePath:instancePath+"/admission",parentData:data,parentDataProperty:"admission",rootData,dynamicAnchors})||(vErrors=vErrors===null?validate71.errors:
vErrors.concat(validate71.errors),errors=vErrors.length))}else{const err1={instancePath,schemaPath:"#/type",keyword:"type",params:{type:"object"}};vErrors===null?
vErrors=[err1]:vErrors.push(err1),errors++}return validate52.errors=vErrors,errors===0}validate52.evaluated={props:!0,dynamicProps:!1,dynamicItems:!1};const WorkloadClass=validate73,
schema30={$id:"https://plimsoll.dev/v1alpha1/WorkloadClass.json",type:"object",properties:{apiVersion:{const:"plimsoll.dev/v1alpha1"},kind:{const:"WorkloadClass"},
metadata:{type:"object",properties:{name:{type:"string",pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",maxLength:63}},required:["name"],additionalProperties:!1},spec:{
type:"object",properties:{extends:{type:"string",pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",maxLength:63},description:{type:"string",minLength:1,maxLength:1e3},latency:{
$ref:"https://plimsoll.dev/v1alpha1/parts/latency.json"},demand:{$ref:"https://plimsoll.dev/v1alpha1/parts/demand.json"},state:{$ref:"https://plimsoll.dev/v1alp\
ha1/parts/state.json"},interruption:{$ref:"https://plimsoll.dev/v1alpha1/parts/interruption.json"},accelerator:{$ref:"https://plimsoll.dev/v1alpha1/parts/accele\
rator.json"},tenancy:{$ref:"https://plimsoll.dev/v1alpha1/parts/tenancy.json"},startup:{$ref:"https://plimsoll.dev/v1alpha1/parts/startup.json"},topology:{$ref:"\
https://plimsoll.dev/v1alpha1/parts/topology.json"},capacity:{$ref:"https://plimsoll.dev/v1alpha1/parts/capacity.json"},admission:{$ref:"https://plimsoll.dev/v1\
alpha1/parts/admission.json"},roles:{type:"object",propertyNames:{type:"string",pattern:"^[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?$",maxLength:63},additionalProperties:{
$ref:"https://plimsoll.dev/v1alpha1/Intent.json"},maxProperties:32},overrides:{type:"object",propertyNames:{type:"string",pattern:"^[a-zA-Z]+(\\.[a-zA-Z]+)*$",maxLength:128},
additionalProperties:{anyOf:[{type:"string",enum:["any","subset"]},{type:"array",items:{type:"string",minLength:1,maxLength:253},minItems:1,maxItems:64,uniqueItems:!0},
{type:"object",properties:{min:{type:["string","number"],maxLength:32},max:{type:["string","number"],maxLength:32}},minProperties:1,additionalProperties:!1}]},maxProperties:64}},
additionalProperties:!1,if:{not:{properties:{extends:!0},required:["extends"]}},then:{properties:{latency:!0,demand:!0,state:!0,interruption:!0,accelerator:!0,tenancy:!0,
startup:!0},required:["latency","demand","state","interruption","accelerator","tenancy","startup"]}}},required:["apiVersion","kind","metadata","spec"],additionalProperties:!1},
pattern23=new RegExp("^[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?$","u"),pattern24=new RegExp("^[a-zA-Z]+(\\.[a-zA-Z]+)*$","u");function validate73(data,{instancePath="",
parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){let vErrors=null,errors=0;const evaluated0=validate73.evaluated;if(evaluated0.dynamicProps&&(evaluated0.
props=void 0),evaluated0.dynamicItems&&(evaluated0.items=void 0),data&&typeof data=="object"&&!Array.isArray(data)){if(data.apiVersion===void 0){const err0={instancePath,
schemaPath:"#/required",keyword:"required",params:{missingProperty:"apiVersion"}};vErrors===null?vErrors=[err0]:vErrors.push(err0),errors++}if(data.kind===void 0){
const err1={instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty:"kind"}};vErrors===null?vErrors=[err1]:vErrors.push(err1),errors++}if(data.
metadata===void 0){const err2={instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty:"metadata"}};vErrors===null?vErrors=[err2]:vErrors.
push(err2),errors++}if(data.spec===void 0){const err3={instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty:"spec"}};vErrors===null?vErrors=
[err3]:vErrors.push(err3),errors++}for(const key0 in data)if(!(key0==="apiVersion"||key0==="kind"||key0==="metadata"||key0==="spec")){const err4={instancePath,schemaPath:"\
#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key0}};vErrors===null?vErrors=[err4]:vErrors.push(err4),errors++}if(data.apiVersion!==
void 0&&data.apiVersion!=="plimsoll.dev/v1alpha1"){const err5={instancePath:instancePath+"/apiVersion",schemaPath:"#/properties/apiVersion/const",keyword:"const",
params:{allowedValue:"plimsoll.dev/v1alpha1"}};vErrors===null?vErrors=[err5]:vErrors.push(err5),errors++}if(data.kind!==void 0&&data.kind!=="WorkloadClass"){const err6={
instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/const",keyword:"const",params:{allowedValue:"WorkloadClass"}};vErrors===null?vErrors=[err6]:vErrors.
push(err6),errors++}if(data.metadata!==void 0){let data2=data.metadata;if(data2&&typeof data2=="object"&&!Array.isArray(data2)){if(data2.name===void 0){const err7={
instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/required",keyword:"required",params:{missingProperty:"name"}};vErrors===null?vErrors=[err7]:
vErrors.push(err7),errors++}for(const key1 in data2)if(key1!=="name"){const err8={instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/additi\
onalProperties",keyword:"additionalProperties",params:{additionalProperty:key1}};vErrors===null?vErrors=[err8]:vErrors.push(err8),errors++}if(data2.name!==void 0){
let data3=data2.name;if(typeof data3=="string"){if(data3.length>63){const err9={instancePath:instancePath+"/metadata/name",schemaPath:"#/properties/metadata/pro\
perties/name/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err9]:vErrors.push(err9),errors++}if(!pattern10.test(data3)){const err10={
instancePath:instancePath+"/metadata/name",schemaPath:"#/properties/metadata/properties/name/pattern",keyword:"pattern",params:{pattern:"^[a-z0-9]([-a-z0-9]*[a-\
z0-9])?$"}};vErrors===null?vErrors=[err10]:vErrors.push(err10),errors++}}else{const err11={instancePath:instancePath+"/metadata/name",schemaPath:"#/properties/m\
etadata/properties/name/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err11]:vErrors.push(err11),errors++}}}else{const err12={instancePath:instancePath+
"/metadata",schemaPath:"#/properties/metadata/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err12]:vErrors.push(err12),errors++}}if(data.
spec!==void 0){let data4=data.spec;const _errs11=errors;let valid2=!0;const _errs12=errors,_errs13=errors,_errs14=errors;if(data4&&typeof data4=="object"&&!Array.
isArray(data4)){let missing0;if(data4.extends===void 0&&(missing0="extends")){const err13={};vErrors===null?vErrors=[err13]:vErrors.push(err13),errors++}}var valid3=_errs14===
errors;if(valid3){const err14={};vErrors===null?vErrors=[err14]:vErrors.push(err14),errors++}else errors=_errs13,vErrors!==null&&(_errs13?vErrors.length=_errs13:
vErrors=null);var _valid0=_errs12===errors;if(errors=_errs11,vErrors!==null&&(_errs11?vErrors.length=_errs11:vErrors=null),_valid0){const _errs15=errors;if(data4&&
typeof data4=="object"&&!Array.isArray(data4)){if(data4.latency===void 0){const err15={instancePath:instancePath+"/spec",schemaPath:"#/properties/spec/then/requ\
ired",keyword:"required",params:{missingProperty:"latency"}};vErrors===null?vErrors=[err15]:vErrors.push(err15),errors++}if(data4.demand===void 0){const err16={
instancePath:instancePath+"/spec",schemaPath:"#/properties/spec/then/required",keyword:"required",params:{missingProperty:"demand"}};vErrors===null?vErrors=[err16]:
vErrors.push(err16),errors++}if(data4.state===void 0){const err17={instancePath:instancePath+"/spec",schemaPath:"#/properties/spec/then/required",keyword:"requi\
red",params:{missingProperty:"state"}};vErrors===null?vErrors=[err17]:vErrors.push(err17),errors++}if(data4.interruption===void 0){const err18={instancePath:instancePath+
"/spec",schemaPath:"#/properties/spec/then/required",keyword:"required",params:{missingProperty:"interruption"}};vErrors===null?vErrors=[err18]:vErrors.push(err18),
errors++}if(data4.accelerator===void 0){const err19={instancePath:instancePath+"/spec",schemaPath:"#/properties/spec/then/required",keyword:"required",params:{missingProperty:"\
accelerator"}};vErrors===null?vErrors=[err19]:vErrors.push(err19),errors++}if(data4.tenancy===void 0){const err20={instancePath:instancePath+"/spec",schemaPath:"\
#/properties/spec/then/required",keyword:"required",params:{missingProperty:"tenancy"}};vErrors===null?vErrors=[err20]:vErrors.push(err20),errors++}if(data4.startup===
void 0){const err21={instancePath:instancePath+"/spec",schemaPath:"#/properties/spec/then/required",keyword:"required",params:{missingProperty:"startup"}};vErrors===
null?vErrors=[err21]:vErrors.push(err21),errors++}}var _valid0=_errs15===errors;if(valid2=_valid0,valid2){var props0={};props0.latency=!0,props0.demand=!0,props0.
state=!0,props0.interruption=!0,props0.accelerator=!0,props0.tenancy=!0,props0.startup=!0}}if(!valid2){const err22={instancePath:instancePath+"/spec",schemaPath:"\
#/properties/spec/if",keyword:"if",params:{failingKeyword:"then"}};vErrors===null?vErrors=[err22]:vErrors.push(err22),errors++}if(data4&&typeof data4=="object"&&
!Array.isArray(data4)){for(const key2 in data4)if(!func1.call(schema30.properties.spec.properties,key2)){const err23={instancePath:instancePath+"/spec",schemaPath:"\
#/properties/spec/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key2}};vErrors===null?vErrors=[err23]:vErrors.push(err23),errors++}
if(data4.extends!==void 0){let data5=data4.extends;if(typeof data5=="string"){if(data5.length>63){const err24={instancePath:instancePath+"/spec/extends",schemaPath:"\
#/properties/spec/properties/extends/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err24]:vErrors.push(err24),errors++}if(!pattern10.
test(data5)){const err25={instancePath:instancePath+"/spec/extends",schemaPath:"#/properties/spec/properties/extends/pattern",keyword:"pattern",params:{pattern:"\
^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}};vErrors===null?vErrors=[err25]:vErrors.push(err25),errors++}}else{const err26={instancePath:instancePath+"/spec/extends",schemaPath:"\
#/properties/spec/properties/extends/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err26]:vErrors.push(err26),errors++}}if(data4.description!==
void 0){let data6=data4.description;if(typeof data6=="string"){if(data6.length>1e3){const err27={instancePath:instancePath+"/spec/description",schemaPath:"#/pro\
perties/spec/properties/description/maxLength",keyword:"maxLength",params:{limit:1e3}};vErrors===null?vErrors=[err27]:vErrors.push(err27),errors++}if(data6.length<
1){const err28={instancePath:instancePath+"/spec/description",schemaPath:"#/properties/spec/properties/description/minLength",keyword:"minLength",params:{limit:1}};
vErrors===null?vErrors=[err28]:vErrors.push(err28),errors++}}else{const err29={instancePath:instancePath+"/spec/description",schemaPath:"#/properties/spec/prope\
rties/description/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err29]:vErrors.push(err29),errors++}}if(data4.latency!==void 0&&(validate53(
data4.latency,{instancePath:instancePath+"/spec/latency",parentData:data4,parentDataProperty:"latency",rootData,dynamicAnchors})||(vErrors=vErrors===null?validate53.
errors:vErrors.concat(validate53.errors),errors=vErrors.length)),data4.demand!==void 0&&(validate55(data4.demand,{instancePath:instancePath+"/spec/demand",parentData:data4,
parentDataProperty:"demand",rootData,dynamicAnchors})||(vErrors=vErrors===null?validate55.errors:vErrors.concat(validate55.errors),errors=vErrors.length)),data4.
state!==void 0&&(validate57(data4.state,{instancePath:instancePath+"/spec/state",parentData:data4,parentDataProperty:"state",rootData,dynamicAnchors})||(vErrors=
vErrors===null?validate57.errors:vErrors.concat(validate57.errors),errors=vErrors.length)),data4.interruption!==void 0&&(validate59(data4.interruption,{instancePath:instancePath+
"/spec/interruption",parentData:data4,parentDataProperty:"interruption",rootData,dynamicAnchors})||(vErrors=vErrors===null?validate59.errors:vErrors.concat(validate59.
errors),errors=vErrors.length)),data4.accelerator!==void 0&&(validate61(data4.accelerator,{instancePath:instancePath+"/spec/accelerator",parentData:data4,parentDataProperty:"\
accelerator",rootData,dynamicAnchors})||(vErrors=vErrors===null?validate61.errors:vErrors.concat(validate61.errors),errors=vErrors.length)),data4.tenancy!==void 0&&
(validate63(data4.tenancy,{instancePath:instancePath+"/spec/tenancy",parentData:data4,parentDataProperty:"tenancy",rootData,dynamicAnchors})||(vErrors=vErrors===
null?validate63.errors:vErrors.concat(validate63.errors),errors=vErrors.length)),data4.startup!==void 0&&(validate65(data4.startup,{instancePath:instancePath+"/\
spec/startup",parentData:data4,parentDataProperty:"startup",rootData,dynamicAnchors})||(vErrors=vErrors===null?validate65.errors:vErrors.concat(validate65.errors),
errors=vErrors.length)),data4.topology!==void 0&&(validate67(data4.topology,{instancePath:instancePath+"/spec/topology",parentData:data4,parentDataProperty:"top\
ology",rootData,dynamicAnchors})||(vErrors=vErrors===null?validate67.errors:vErrors.concat(validate67.errors),errors=vErrors.length)),data4.capacity!==void 0&&(validate69(
data4.capacity,{instancePath:instancePath+"/spec/capacity",parentData:data4,parentDataProperty:"capacity",rootData,dynamicAnchors})||(vErrors=vErrors===null?validate69.
errors:vErrors.concat(validate69.errors),errors=vErrors.length)),data4.admission!==void 0&&(validate71(data4.admission,{instancePath:instancePath+"/spec/admissi\
on",parentData:data4,parentDataProperty:"admission",rootData,dynamicAnchors})||(vErrors=vErrors===null?validate71.errors:vErrors.concat(validate71.errors),errors=
vErrors.length)),data4.roles!==void 0){let data17=data4.roles;if(data17&&typeof data17=="object"&&!Array.isArray(data17)){if(Object.keys(data17).length>32){const err30={
instancePath:instancePath+"/spec/roles",schemaPath:"#/properties/spec/properties/roles/maxProperties",keyword:"maxProperties",params:{limit:32}};vErrors===null?
vErrors=[err30]:vErrors.push(err30),errors++}for(const key3 in data17){const _errs33=errors;if(typeof key3=="string"){if(key3.length>63){const err31={instancePath:instancePath+
"/spec/roles",schemaPath:"#/properties/spec/properties/roles/propertyNames/maxLength",keyword:"maxLength",params:{limit:63},propertyName:key3};vErrors===null?vErrors=
[err31]:vErrors.push(err31),errors++}if(!pattern23.test(key3)){const err32={instancePath:instancePath+"/spec/roles",schemaPath:"#/properties/spec/properties/rol\
es/propertyNames/pattern",keyword:"pattern",params:{pattern:"^[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?$"},propertyName:key3};vErrors===null?vErrors=[err32]:vErrors.
push(err32),errors++}}else{const err33={instancePath:instancePath+"/spec/roles",schemaPath:"#/properties/spec/properties/roles/propertyNames/type",keyword:"type",
params:{type:"string"},propertyName:key3};vErrors===null?vErrors=[err33]:vErrors.push(err33),errors++}var valid5=_errs33===errors;if(!valid5){const err34={instancePath:instancePath+
"/spec/roles",schemaPath:"#/properties/spec/properties/roles/propertyNames",keyword:"propertyNames",params:{propertyName:key3}};vErrors===null?vErrors=[err34]:vErrors.
push(err34),errors++}}for(const key4 in data17)validate52(data17[key4],{instancePath:instancePath+"/spec/roles/"+key4.replace(/~/g,"~0").replace(/\//g,"~1"),parentData:data17,
parentDataProperty:key4,rootData,dynamicAnchors})||(vErrors=vErrors===null?validate52.errors:vErrors.concat(validate52.errors),errors=vErrors.length)}else{const err35={
instancePath:instancePath+"/spec/roles",schemaPath:"#/properties/spec/properties/roles/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err35]:
vErrors.push(err35),errors++}}if(data4.overrides!==void 0){let data19=data4.overrides;if(data19&&typeof data19=="object"&&!Array.isArray(data19)){if(Object.keys(
data19).length>64){const err36={instancePath:instancePath+"/spec/overrides",schemaPath:"#/properties/spec/properties/overrides/maxProperties",keyword:"maxProper\
ties",params:{limit:64}};vErrors===null?vErrors=[err36]:vErrors.push(err36),errors++}for(const key5 in data19){const _errs39=errors;if(typeof key5=="string"){if(key5.
length>128){const err37={instancePath:instancePath+"/spec/overrides",schemaPath:"#/properties/spec/properties/overrides/propertyNames/maxLength",keyword:"maxLen\
gth",params:{limit:128},propertyName:key5};vErrors===null?vErrors=[err37]:vErrors.push(err37),errors++}if(!pattern24.test(key5)){const err38={instancePath:instancePath+
"/spec/overrides",schemaPath:"#/properties/spec/properties/overrides/propertyNames/pattern",keyword:"pattern",params:{pattern:"^[a-zA-Z]+(\\.[a-zA-Z]+)*$"},propertyName:key5};
vErrors===null?vErrors=[err38]:vErrors.push(err38),errors++}}else{const err39={instancePath:instancePath+"/spec/overrides",schemaPath:"#/properties/spec/propert\
ies/overrides/propertyNames/type",keyword:"type",params:{type:"string"},propertyName:key5};vErrors===null?vErrors=[err39]:vErrors.push(err39),errors++}var valid7=_errs39===
errors;if(!valid7){const err40={instancePath:instancePath+"/spec/overrides",schemaPath:"#/properties/spec/properties/overrides/propertyNames",keyword:"propertyN\
ames",params:{propertyName:key5}};vErrors===null?vErrors=[err40]:vErrors.push(err40),errors++}}for(const key6 in data19){let data20=data19[key6];const _errs43=errors;
let valid9=!1;const _errs44=errors;if(typeof data20!="string"){const err41={instancePath:instancePath+"/spec/overrides/"+key6.replace(/~/g,"~0").replace(/\//g,"\
~1"),schemaPath:"#/properties/spec/properties/overrides/additionalProperties/anyOf/0/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err41]:
vErrors.push(err41),errors++}if(!(data20==="any"||data20==="subset")){const err42={instancePath:instancePath+"/spec/overrides/"+key6.replace(/~/g,"~0").replace(
/\//g,"~1"),schemaPath:"#/properties/spec/properties/overrides/additionalProperties/anyOf/0/enum",keyword:"enum",params:{allowedValues:schema30.properties.spec.
properties.overrides.additionalProperties.anyOf[0].enum}};vErrors===null?vErrors=[err42]:vErrors.push(err42),errors++}var _valid1=_errs44===errors;valid9=valid9||
_valid1;const _errs46=errors;if(Array.isArray(data20)){if(data20.length>64){const err43={instancePath:instancePath+"/spec/overrides/"+key6.replace(/~/g,"~0").replace(
/\//g,"~1"),schemaPath:"#/properties/spec/properties/overrides/additionalProperties/anyOf/1/maxItems",keyword:"maxItems",params:{limit:64}};vErrors===null?vErrors=
[err43]:vErrors.push(err43),errors++}if(data20.length<1){const err44={instancePath:instancePath+"/spec/overrides/"+key6.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"\
#/properties/spec/properties/overrides/additionalProperties/anyOf/1/minItems",keyword:"minItems",params:{limit:1}};vErrors===null?vErrors=[err44]:vErrors.push(err44),
errors++}const len0=data20.length;for(let i0=0;i0<len0;i0++){let data21=data20[i0];if(typeof data21=="string"){if(data21.length>253){const err45={instancePath:instancePath+
"/spec/overrides/"+key6.replace(/~/g,"~0").replace(/\//g,"~1")+"/"+i0,schemaPath:"#/properties/spec/properties/overrides/additionalProperties/anyOf/1/items/maxL\
ength",keyword:"maxLength",params:{limit:253}};vErrors===null?vErrors=[err45]:vErrors.push(err45),errors++}if(data21.length<1){const err46={instancePath:instancePath+
"/spec/overrides/"+key6.replace(/~/g,"~0").replace(/\//g,"~1")+"/"+i0,schemaPath:"#/properties/spec/properties/overrides/additionalProperties/anyOf/1/items/minL\
ength",keyword:"minLength",params:{limit:1}};vErrors===null?vErrors=[err46]:vErrors.push(err46),errors++}}else{const err47={instancePath:instancePath+"/spec/ove\
rrides/"+key6.replace(/~/g,"~0").replace(/\//g,"~1")+"/"+i0,schemaPath:"#/properties/spec/properties/overrides/additionalProperties/anyOf/1/items/type",keyword:"\
type",params:{type:"string"}};vErrors===null?vErrors=[err47]:vErrors.push(err47),errors++}}let i1=data20.length,j0;if(i1>1){const indices0={};for(;i1--;){let item0=data20[i1];
if(typeof item0=="string"){if(typeof indices0[item0]=="number"){j0=indices0[item0];const err48={instancePath:instancePath+"/spec/overrides/"+key6.replace(/~/g,"\
~0").replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties/overrides/additionalProperties/anyOf/1/uniqueItems",keyword:"uniqueItems",params:{i:i1,j:j0}};
vErrors===null?vErrors=[err48]:vErrors.push(err48),errors++;break}indices0[item0]=i1}}}}else{const err49={instancePath:instancePath+"/spec/overrides/"+key6.replace(
/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties/overrides/additionalProperties/anyOf/1/type",keyword:"type",params:{type:"array"}};vErrors===
null?vErrors=[err49]:vErrors.push(err49),errors++}var _valid1=_errs46===errors;valid9=valid9||_valid1;const _errs50=errors;if(data20&&typeof data20=="object"&&!Array.
isArray(data20)){if(Object.keys(data20).length<1){const err50={instancePath:instancePath+"/spec/overrides/"+key6.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"\
#/properties/spec/properties/overrides/additionalProperties/anyOf/2/minProperties",keyword:"minProperties",params:{limit:1}};vErrors===null?vErrors=[err50]:vErrors.
push(err50),errors++}for(const key7 in data20)if(!(key7==="min"||key7==="max")){const err51={instancePath:instancePath+"/spec/overrides/"+key6.replace(/~/g,"~0").
replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties/overrides/additionalProperties/anyOf/2/additionalProperties",keyword:"additionalProperties",params:{
additionalProperty:key7}};vErrors===null?vErrors=[err51]:vErrors.push(err51),errors++}if(data20.min!==void 0){let data22=data20.min;if(typeof data22!="string"&&
!(typeof data22=="number"&&isFinite(data22))){const err52={instancePath:instancePath+"/spec/overrides/"+key6.replace(/~/g,"~0").replace(/\//g,"~1")+"/min",schemaPath:"\
#/properties/spec/properties/overrides/additionalProperties/anyOf/2/properties/min/type",keyword:"type",params:{type:schema30.properties.spec.properties.overrides.
additionalProperties.anyOf[2].properties.min.type}};vErrors===null?vErrors=[err52]:vErrors.push(err52),errors++}if(typeof data22=="string"&&data22.length>32){const err53={
instancePath:instancePath+"/spec/overrides/"+key6.replace(/~/g,"~0").replace(/\//g,"~1")+"/min",schemaPath:"#/properties/spec/properties/overrides/additionalPro\
perties/anyOf/2/properties/min/maxLength",keyword:"maxLength",params:{limit:32}};vErrors===null?vErrors=[err53]:vErrors.push(err53),errors++}}if(data20.max!==void 0){
let data23=data20.max;if(typeof data23!="string"&&!(typeof data23=="number"&&isFinite(data23))){const err54={instancePath:instancePath+"/spec/overrides/"+key6.replace(
/~/g,"~0").replace(/\//g,"~1")+"/max",schemaPath:"#/properties/spec/properties/overrides/additionalProperties/anyOf/2/properties/max/type",keyword:"type",params:{
type:schema30.properties.spec.properties.overrides.additionalProperties.anyOf[2].properties.max.type}};vErrors===null?vErrors=[err54]:vErrors.push(err54),errors++}
if(typeof data23=="string"&&data23.length>32){const err55={instancePath:instancePath+"/spec/overrides/"+key6.replace(/~/g,"~0").replace(/\//g,"~1")+"/max",schemaPath:"\
#/properties/spec/properties/overrides/additionalProperties/anyOf/2/properties/max/maxLength",keyword:"maxLength",params:{limit:32}};vErrors===null?vErrors=[err55]:
vErrors.push(err55),errors++}}}else{const err56={instancePath:instancePath+"/spec/overrides/"+key6.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properti\
es/spec/properties/overrides/additionalProperties/anyOf/2/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err56]:vErrors.push(err56),errors++}
var _valid1=_errs50===errors;if(valid9=valid9||_valid1,valid9)errors=_errs43,vErrors!==null&&(_errs43?vErrors.length=_errs43:vErrors=null);else{const err57={instancePath:instancePath+
"/spec/overrides/"+key6.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties/overrides/additionalProperties/anyOf",keyword:"anyOf",params:{}};
vErrors===null?vErrors=[err57]:vErrors.push(err57),errors++}}}else{const err58={instancePath:instancePath+"/spec/overrides",schemaPath:"#/properties/spec/proper\
ties/overrides/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err58]:vErrors.push(err58),errors++}}}else{const err59={instancePath:instancePath+
"/spec",schemaPath:"#/properties/spec/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err59]:vErrors.push(err59),errors++}}}else{const err60={
instancePath,schemaPath:"#/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err60]:vErrors.push(err60),errors++}return validate73.errors=vErrors,
errors===0}validate73.evaluated={props:!0,dynamicProps:!1,dynamicItems:!1};const AcceleratorClass=validate85,schema31={$id:"https://plimsoll.dev/v1alpha1/Accele\
ratorClass.json",type:"object",properties:{apiVersion:{const:"plimsoll.dev/v1alpha1"},kind:{const:"AcceleratorClass"},metadata:{type:"object",properties:{name:{
type:"string",pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",maxLength:63}},required:["name"],additionalProperties:!1},spec:{type:"object",properties:{description:{type:"\
string",minLength:1,maxLength:1e3},vendor:{type:"string",pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",maxLength:63},architecture:{type:"string",pattern:"^[a-z0-9](\
[-a-z0-9]*[a-z0-9])?$",maxLength:63},memory:{type:["string","number"],pattern:"^[0-9]+(\\.[0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$",maxLength:40,minimum:0},sharing:{
type:"string",enum:["exclusive","partition","time-sliced"]},resourceName:{type:"string",pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[\
A-Za-z0-9])?$",maxLength:316},labels:{type:"array",maxItems:32,items:{type:"object",properties:{key:{type:"string",pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[\
A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$",maxLength:316},values:{type:"array",items:{type:"string",pattern:"^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$",maxLength:63},
minItems:1,maxItems:256,uniqueItems:!0},beforeNode:{type:"boolean"}},required:["key","values"],additionalProperties:!1}},device:{type:"object",properties:{driver:{
type:"string",pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",maxLength:63},deviceClassName:{type:"string",pattern:"^[a-z0-9]([-a-z\
0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",maxLength:253},selectors:{type:"array",items:{type:"string",minLength:1,maxLength:10240},minItems:0,maxItems:256,
uniqueItems:!0}},required:["driver","deviceClassName"],additionalProperties:!1},interconnect:{type:"object",properties:{level:{type:"string",pattern:"^[a-z0-9](\
[-a-z0-9]*[a-z0-9])?$",maxLength:63},devices:{type:"integer",minimum:1,maximum:1e6}},required:["level","devices"],additionalProperties:!1},alignment:{type:"obje\
ct",properties:{numa:{type:"string",pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$",maxLength:316},pcie:{type:"string",pattern:"\
^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$",maxLength:316}},additionalProperties:!1}},required:["vendor","architecture","memor\
y","resourceName","labels"],additionalProperties:!1}},required:["apiVersion","kind","metadata","spec"],additionalProperties:!1},pattern28=new RegExp("^[0-9]+(\\.\
[0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$","u"),pattern32=new RegExp("^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$","u");function validate85(data,{
instancePath="",parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){let vErrors=null,errors=0;const evaluated0=validate85.evaluated;if(evaluated0.
dynamicProps&&(evaluated0.props=void 0),evaluated0.dynamicItems&&(evaluated0.items=void 0),data&&typeof data=="object"&&!Array.isArray(data)){if(data.apiVersion===
void 0){const err0={instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty:"apiVersion"}};vErrors===null?vErrors=[err0]:vErrors.push(err0),
errors++}if(data.kind===void 0){const err1={instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty:"kind"}};vErrors===null?vErrors=[err1]:
vErrors.push(err1),errors++}if(data.metadata===void 0){const err2={instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty:"metadata"}};
vErrors===null?vErrors=[err2]:vErrors.push(err2),errors++}if(data.spec===void 0){const err3={instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty:"\
spec"}};vErrors===null?vErrors=[err3]:vErrors.push(err3),errors++}for(const key0 in data)if(!(key0==="apiVersion"||key0==="kind"||key0==="metadata"||key0==="spe\
c")){const err4={instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key0}};vErrors===null?vErrors=[err4]:
vErrors.push(err4),errors++}if(data.apiVersion!==void 0&&data.apiVersion!=="plimsoll.dev/v1alpha1"){const err5={instancePath:instancePath+"/apiVersion",schemaPath:"\
#/properties/apiVersion/const",keyword:"const",params:{allowedValue:"plimsoll.dev/v1alpha1"}};vErrors===null?vErrors=[err5]:vErrors.push(err5),errors++}if(data.
kind!==void 0&&data.kind!=="AcceleratorClass"){const err6={instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/const",keyword:"const",params:{allowedValue:"\
AcceleratorClass"}};vErrors===null?vErrors=[err6]:vErrors.push(err6),errors++}if(data.metadata!==void 0){let data2=data.metadata;if(data2&&typeof data2=="object"&&
!Array.isArray(data2)){if(data2.name===void 0){const err7={instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/required",keyword:"required",
params:{missingProperty:"name"}};vErrors===null?vErrors=[err7]:vErrors.push(err7),errors++}for(const key1 in data2)if(key1!=="name"){const err8={instancePath:instancePath+
"/metadata",schemaPath:"#/properties/metadata/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key1}};vErrors===null?vErrors=[err8]:
vErrors.push(err8),errors++}if(data2.name!==void 0){let data3=data2.name;if(typeof data3=="string"){if(data3.length>63){const err9={instancePath:instancePath+"/\
metadata/name",schemaPath:"#/properties/metadata/properties/name/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err9]:vErrors.push(err9),
errors++}if(!pattern10.test(data3)){const err10={instancePath:instancePath+"/metadata/name",schemaPath:"#/properties/metadata/properties/name/pattern",keyword:"\
pattern",params:{pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}};vErrors===null?vErrors=[err10]:vErrors.push(err10),errors++}}else{const err11={instancePath:instancePath+
"/metadata/name",schemaPath:"#/properties/metadata/properties/name/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err11]:vErrors.push(err11),
errors++}}}else{const err12={instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/type",keyword:"type",params:{type:"object"}};vErrors===null?
vErrors=[err12]:vErrors.push(err12),errors++}}if(data.spec!==void 0){let data4=data.spec;if(data4&&typeof data4=="object"&&!Array.isArray(data4)){if(data4.vendor===
void 0){const err13={instancePath:instancePath+"/spec",schemaPath:"#/properties/spec/required",keyword:"required",params:{missingProperty:"vendor"}};vErrors===null?
vErrors=[err13]:vErrors.push(err13),errors++}if(data4.architecture===void 0){const err14={instancePath:instancePath+"/spec",schemaPath:"#/properties/spec/requir\
ed",keyword:"required",params:{missingProperty:"architecture"}};vErrors===null?vErrors=[err14]:vErrors.push(err14),errors++}if(data4.memory===void 0){const err15={
instancePath:instancePath+"/spec",schemaPath:"#/properties/spec/required",keyword:"required",params:{missingProperty:"memory"}};vErrors===null?vErrors=[err15]:vErrors.
push(err15),errors++}if(data4.resourceName===void 0){const err16={instancePath:instancePath+"/spec",schemaPath:"#/properties/spec/required",keyword:"required",params:{
missingProperty:"resourceName"}};vErrors===null?vErrors=[err16]:vErrors.push(err16),errors++}if(data4.labels===void 0){const err17={instancePath:instancePath+"/\
spec",schemaPath:"#/properties/spec/required",keyword:"required",params:{missingProperty:"labels"}};vErrors===null?vErrors=[err17]:vErrors.push(err17),errors++}
for(const key2 in data4)if(!func1.call(schema31.properties.spec.properties,key2)){const err18={instancePath:instancePath+"/spec",schemaPath:"#/properties/spec/a\
dditionalProperties",keyword:"additionalProperties",params:{additionalProperty:key2}};vErrors===null?vErrors=[err18]:vErrors.push(err18),errors++}if(data4.description!==
void 0){let data5=data4.description;if(typeof data5=="string"){if(data5.length>1e3){const err19={instancePath:instancePath+"/spec/description",schemaPath:"#/pro\
perties/spec/properties/description/maxLength",keyword:"maxLength",params:{limit:1e3}};vErrors===null?vErrors=[err19]:vErrors.push(err19),errors++}if(data5.length<
1){const err20={instancePath:instancePath+"/spec/description",schemaPath:"#/properties/spec/properties/description/minLength",keyword:"minLength",params:{limit:1}};
vErrors===null?vErrors=[err20]:vErrors.push(err20),errors++}}else{const err21={instancePath:instancePath+"/spec/description",schemaPath:"#/properties/spec/prope\
rties/description/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err21]:vErrors.push(err21),errors++}}if(data4.vendor!==void 0){let data6=data4.
vendor;if(typeof data6=="string"){if(data6.length>63){const err22={instancePath:instancePath+"/spec/vendor",schemaPath:"#/properties/spec/properties/vendor/maxL\
ength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err22]:vErrors.push(err22),errors++}if(!pattern10.test(data6)){const err23={instancePath:instancePath+
"/spec/vendor",schemaPath:"#/properties/spec/properties/vendor/pattern",keyword:"pattern",params:{pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}};vErrors===null?vErrors=
[err23]:vErrors.push(err23),errors++}}else{const err24={instancePath:instancePath+"/spec/vendor",schemaPath:"#/properties/spec/properties/vendor/type",keyword:"\
type",params:{type:"string"}};vErrors===null?vErrors=[err24]:vErrors.push(err24),errors++}}if(data4.architecture!==void 0){let data7=data4.architecture;if(typeof data7==
"string"){if(data7.length>63){const err25={instancePath:instancePath+"/spec/architecture",schemaPath:"#/properties/spec/properties/architecture/maxLength",keyword:"\
maxLength",params:{limit:63}};vErrors===null?vErrors=[err25]:vErrors.push(err25),errors++}if(!pattern10.test(data7)){const err26={instancePath:instancePath+"/sp\
ec/architecture",schemaPath:"#/properties/spec/properties/architecture/pattern",keyword:"pattern",params:{pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}};vErrors===
null?vErrors=[err26]:vErrors.push(err26),errors++}}else{const err27={instancePath:instancePath+"/spec/architecture",schemaPath:"#/properties/spec/properties/arc\
hitecture/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err27]:vErrors.push(err27),errors++}}if(data4.memory!==void 0){let data8=data4.memory;
if(typeof data8!="string"&&!(typeof data8=="number"&&isFinite(data8))){const err28={instancePath:instancePath+"/spec/memory",schemaPath:"#/properties/spec/prope\
rties/memory/type",keyword:"type",params:{type:schema31.properties.spec.properties.memory.type}};vErrors===null?vErrors=[err28]:vErrors.push(err28),errors++}if(typeof data8==
"number"&&isFinite(data8)&&(data8<0||isNaN(data8))){const err29={instancePath:instancePath+"/spec/memory",schemaPath:"#/properties/spec/properties/memory/minimu\
m",keyword:"minimum",params:{comparison:">=",limit:0}};vErrors===null?vErrors=[err29]:vErrors.push(err29),errors++}if(typeof data8=="string"){if(data8.length>40){
const err30={instancePath:instancePath+"/spec/memory",schemaPath:"#/properties/spec/properties/memory/maxLength",keyword:"maxLength",params:{limit:40}};vErrors===
null?vErrors=[err30]:vErrors.push(err30),errors++}if(!pattern28.test(data8)){const err31={instancePath:instancePath+"/spec/memory",schemaPath:"#/properties/spec\
/properties/memory/pattern",keyword:"pattern",params:{pattern:"^[0-9]+(\\.[0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$"}};vErrors===null?vErrors=[err31]:vErrors.
push(err31),errors++}}}if(data4.sharing!==void 0){let data9=data4.sharing;if(typeof data9!="string"){const err32={instancePath:instancePath+"/spec/sharing",schemaPath:"\
#/properties/spec/properties/sharing/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err32]:vErrors.push(err32),errors++}if(!(data9==="excl\
usive"||data9==="partition"||data9==="time-sliced")){const err33={instancePath:instancePath+"/spec/sharing",schemaPath:"#/properties/spec/properties/sharing/enu\
m",keyword:"enum",params:{allowedValues:schema31.properties.spec.properties.sharing.enum}};vErrors===null?vErrors=[err33]:vErrors.push(err33),errors++}}if(data4.
resourceName!==void 0){let data10=data4.resourceName;if(typeof data10=="string"){if(data10.length>316){const err34={instancePath:instancePath+"/spec/resourceNam\
e",schemaPath:"#/properties/spec/properties/resourceName/maxLength",keyword:"maxLength",params:{limit:316}};vErrors===null?vErrors=[err34]:vErrors.push(err34),errors++}
if(!pattern11.test(data10)){const err35={instancePath:instancePath+"/spec/resourceName",schemaPath:"#/properties/spec/properties/resourceName/pattern",keyword:"\
pattern",params:{pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$"}};vErrors===null?vErrors=[err35]:vErrors.push(err35),errors++}}else{
const err36={instancePath:instancePath+"/spec/resourceName",schemaPath:"#/properties/spec/properties/resourceName/type",keyword:"type",params:{type:"string"}};vErrors===
null?vErrors=[err36]:vErrors.push(err36),errors++}}if(data4.labels!==void 0){let data11=data4.labels;if(Array.isArray(data11)){if(data11.length>32){const err37={
instancePath:instancePath+"/spec/labels",schemaPath:"#/properties/spec/properties/labels/maxItems",keyword:"maxItems",params:{limit:32}};vErrors===null?vErrors=
[err37]:vErrors.push(err37),errors++}const len0=data11.length;for(let i0=0;i0<len0;i0++){let data12=data11[i0];if(data12&&typeof data12=="object"&&!Array.isArray(
data12)){if(data12.key===void 0){const err38={instancePath:instancePath+"/spec/labels/"+i0,schemaPath:"#/properties/spec/properties/labels/items/required",keyword:"\
required",params:{missingProperty:"key"}};vErrors===null?vErrors=[err38]:vErrors.push(err38),errors++}if(data12.values===void 0){const err39={instancePath:instancePath+
"/spec/labels/"+i0,schemaPath:"#/properties/spec/properties/labels/items/required",keyword:"required",params:{missingProperty:"values"}};vErrors===null?vErrors=
[err39]:vErrors.push(err39),errors++}for(const key3 in data12)if(!(key3==="key"||key3==="values"||key3==="beforeNode")){const err40={instancePath:instancePath+"\
/spec/labels/"+i0,schemaPath:"#/properties/spec/properties/labels/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key3}};vErrors===
null?vErrors=[err40]:vErrors.push(err40),errors++}if(data12.key!==void 0){let data13=data12.key;if(typeof data13=="string"){if(data13.length>316){const err41={instancePath:instancePath+
"/spec/labels/"+i0+"/key",schemaPath:"#/properties/spec/properties/labels/items/properties/key/maxLength",keyword:"maxLength",params:{limit:316}};vErrors===null?
vErrors=[err41]:vErrors.push(err41),errors++}if(!pattern11.test(data13)){const err42={instancePath:instancePath+"/spec/labels/"+i0+"/key",schemaPath:"#/properti\
es/spec/properties/labels/items/properties/key/pattern",keyword:"pattern",params:{pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z\
0-9])?$"}};vErrors===null?vErrors=[err42]:vErrors.push(err42),errors++}}else{const err43={instancePath:instancePath+"/spec/labels/"+i0+"/key",schemaPath:"#/prop\
erties/spec/properties/labels/items/properties/key/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err43]:vErrors.push(err43),errors++}}if(data12.
values!==void 0){let data14=data12.values;if(Array.isArray(data14)){if(data14.length>256){const err44={instancePath:instancePath+"/spec/labels/"+i0+"/values",schemaPath:"\
#/properties/spec/properties/labels/items/properties/values/maxItems",keyword:"maxItems",params:{limit:256}};vErrors===null?vErrors=[err44]:vErrors.push(err44),
errors++}if(data14.length<1){const err45={instancePath:instancePath+"/spec/labels/"+i0+"/values",schemaPath:"#/properties/spec/properties/labels/items/propertie\
s/values/minItems",keyword:"minItems",params:{limit:1}};vErrors===null?vErrors=[err45]:vErrors.push(err45),errors++}const len1=data14.length;for(let i1=0;i1<len1;i1++){
let data15=data14[i1];if(typeof data15=="string"){if(data15.length>63){const err46={instancePath:instancePath+"/spec/labels/"+i0+"/values/"+i1,schemaPath:"#/pro\
perties/spec/properties/labels/items/properties/values/items/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err46]:vErrors.push(err46),
errors++}if(!pattern12.test(data15)){const err47={instancePath:instancePath+"/spec/labels/"+i0+"/values/"+i1,schemaPath:"#/properties/spec/properties/labels/ite\
ms/properties/values/items/pattern",keyword:"pattern",params:{pattern:"^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$"}};vErrors===null?vErrors=[err47]:vErrors.push(
err47),errors++}}else{const err48={instancePath:instancePath+"/spec/labels/"+i0+"/values/"+i1,schemaPath:"#/properties/spec/properties/labels/items/properties/v\
alues/items/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err48]:vErrors.push(err48),errors++}}let i2=data14.length,j0;if(i2>1){const indices0={};
for(;i2--;){let item0=data14[i2];if(typeof item0=="string"){if(typeof indices0[item0]=="number"){j0=indices0[item0];const err49={instancePath:instancePath+"/spe\
c/labels/"+i0+"/values",schemaPath:"#/properties/spec/properties/labels/items/properties/values/uniqueItems",keyword:"uniqueItems",params:{i:i2,j:j0}};vErrors===
null?vErrors=[err49]:vErrors.push(err49),errors++;break}indices0[item0]=i2}}}}else{const err50={instancePath:instancePath+"/spec/labels/"+i0+"/values",schemaPath:"\
#/properties/spec/properties/labels/items/properties/values/type",keyword:"type",params:{type:"array"}};vErrors===null?vErrors=[err50]:vErrors.push(err50),errors++}}
if(data12.beforeNode!==void 0&&typeof data12.beforeNode!="boolean"){const err51={instancePath:instancePath+"/spec/labels/"+i0+"/beforeNode",schemaPath:"#/proper\
ties/spec/properties/labels/items/properties/beforeNode/type",keyword:"type",params:{type:"boolean"}};vErrors===null?vErrors=[err51]:vErrors.push(err51),errors++}}else{
const err52={instancePath:instancePath+"/spec/labels/"+i0,schemaPath:"#/properties/spec/properties/labels/items/type",keyword:"type",params:{type:"object"}};vErrors===
null?vErrors=[err52]:vErrors.push(err52),errors++}}}else{const err53={instancePath:instancePath+"/spec/labels",schemaPath:"#/properties/spec/properties/labels/t\
ype",keyword:"type",params:{type:"array"}};vErrors===null?vErrors=[err53]:vErrors.push(err53),errors++}}if(data4.device!==void 0){let data17=data4.device;if(data17&&
typeof data17=="object"&&!Array.isArray(data17)){if(data17.driver===void 0){const err54={instancePath:instancePath+"/spec/device",schemaPath:"#/properties/spec/\
properties/device/required",keyword:"required",params:{missingProperty:"driver"}};vErrors===null?vErrors=[err54]:vErrors.push(err54),errors++}if(data17.deviceClassName===
void 0){const err55={instancePath:instancePath+"/spec/device",schemaPath:"#/properties/spec/properties/device/required",keyword:"required",params:{missingProperty:"\
deviceClassName"}};vErrors===null?vErrors=[err55]:vErrors.push(err55),errors++}for(const key4 in data17)if(!(key4==="driver"||key4==="deviceClassName"||key4==="\
selectors")){const err56={instancePath:instancePath+"/spec/device",schemaPath:"#/properties/spec/properties/device/additionalProperties",keyword:"additionalProp\
erties",params:{additionalProperty:key4}};vErrors===null?vErrors=[err56]:vErrors.push(err56),errors++}if(data17.driver!==void 0){let data18=data17.driver;if(typeof data18==
"string"){if(data18.length>63){const err57={instancePath:instancePath+"/spec/device/driver",schemaPath:"#/properties/spec/properties/device/properties/driver/ma\
xLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err57]:vErrors.push(err57),errors++}if(!pattern32.test(data18)){const err58={instancePath:instancePath+
"/spec/device/driver",schemaPath:"#/properties/spec/properties/device/properties/driver/pattern",keyword:"pattern",params:{pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9]\
)?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$"}};vErrors===null?vErrors=[err58]:vErrors.push(err58),errors++}}else{const err59={instancePath:instancePath+"/spec/device\
/driver",schemaPath:"#/properties/spec/properties/device/properties/driver/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err59]:vErrors.push(
err59),errors++}}if(data17.deviceClassName!==void 0){let data19=data17.deviceClassName;if(typeof data19=="string"){if(data19.length>253){const err60={instancePath:instancePath+
"/spec/device/deviceClassName",schemaPath:"#/properties/spec/properties/device/properties/deviceClassName/maxLength",keyword:"maxLength",params:{limit:253}};vErrors===
null?vErrors=[err60]:vErrors.push(err60),errors++}if(!pattern32.test(data19)){const err61={instancePath:instancePath+"/spec/device/deviceClassName",schemaPath:"\
#/properties/spec/properties/device/properties/deviceClassName/pattern",keyword:"pattern",params:{pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[\
a-z0-9])?)*$"}};vErrors===null?vErrors=[err61]:vErrors.push(err61),errors++}}else{const err62={instancePath:instancePath+"/spec/device/deviceClassName",schemaPath:"\
#/properties/spec/properties/device/properties/deviceClassName/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err62]:vErrors.push(err62),errors++}}
if(data17.selectors!==void 0){let data20=data17.selectors;if(Array.isArray(data20)){if(data20.length>256){const err63={instancePath:instancePath+"/spec/device/s\
electors",schemaPath:"#/properties/spec/properties/device/properties/selectors/maxItems",keyword:"maxItems",params:{limit:256}};vErrors===null?vErrors=[err63]:vErrors.
push(err63),errors++}if(data20.length<0){const err64={instancePath:instancePath+"/spec/device/selectors",schemaPath:"#/properties/spec/properties/device/propert\
ies/selectors/minItems",keyword:"minItems",params:{limit:0}};vErrors===null?vErrors=[err64]:vErrors.push(err64),errors++}const len2=data20.length;for(let i3=0;i3<
len2;i3++){let data21=data20[i3];if(typeof data21=="string"){if(data21.length>10240){const err65={instancePath:instancePath+"/spec/device/selectors/"+i3,schemaPath:"\
#/properties/spec/properties/device/properties/selectors/items/maxLength",keyword:"maxLength",params:{limit:10240}};vErrors===null?vErrors=[err65]:vErrors.push(
err65),errors++}if(data21.length<1){const err66={instancePath:instancePath+"/spec/device/selectors/"+i3,schemaPath:"#/properties/spec/properties/device/properti\
es/selectors/items/minLength",keyword:"minLength",params:{limit:1}};vErrors===null?vErrors=[err66]:vErrors.push(err66),errors++}}else{const err67={instancePath:instancePath+
"/spec/device/selectors/"+i3,schemaPath:"#/properties/spec/properties/device/properties/selectors/items/type",keyword:"type",params:{type:"string"}};vErrors===null?
vErrors=[err67]:vErrors.push(err67),errors++}}let i4=data20.length,j1;if(i4>1){const indices1={};for(;i4--;){let item1=data20[i4];if(typeof item1=="string"){if(typeof indices1[item1]==
"number"){j1=indices1[item1];const err68={instancePath:instancePath+"/spec/device/selectors",schemaPath:"#/properties/spec/properties/device/properties/selector\
s/uniqueItems",keyword:"uniqueItems",params:{i:i4,j:j1}};vErrors===null?vErrors=[err68]:vErrors.push(err68),errors++;break}indices1[item1]=i4}}}}else{const err69={
instancePath:instancePath+"/spec/device/selectors",schemaPath:"#/properties/spec/properties/device/properties/selectors/type",keyword:"type",params:{type:"array"}};
vErrors===null?vErrors=[err69]:vErrors.push(err69),errors++}}}else{const err70={instancePath:instancePath+"/spec/device",schemaPath:"#/properties/spec/propertie\
s/device/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err70]:vErrors.push(err70),errors++}}if(data4.interconnect!==void 0){let data22=data4.
interconnect;if(data22&&typeof data22=="object"&&!Array.isArray(data22)){if(data22.level===void 0){const err71={instancePath:instancePath+"/spec/interconnect",schemaPath:"\
#/properties/spec/properties/interconnect/required",keyword:"required",params:{missingProperty:"level"}};vErrors===null?vErrors=[err71]:vErrors.push(err71),errors++}
if(data22.devices===void 0){const err72={instancePath:instancePath+"/spec/interconnect",schemaPath:"#/properties/spec/properties/interconnect/required",keyword:"\
required",params:{missingProperty:"devices"}};vErrors===null?vErrors=[err72]:vErrors.push(err72),errors++}for(const key5 in data22)if(!(key5==="level"||key5==="\
devices")){const err73={instancePath:instancePath+"/spec/interconnect",schemaPath:"#/properties/spec/properties/interconnect/additionalProperties",keyword:"addi\
tionalProperties",params:{additionalProperty:key5}};vErrors===null?vErrors=[err73]:vErrors.push(err73),errors++}if(data22.level!==void 0){let data23=data22.level;
if(typeof data23=="string"){if(data23.length>63){const err74={instancePath:instancePath+"/spec/interconnect/level",schemaPath:"#/properties/spec/properties/inte\
rconnect/properties/level/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err74]:vErrors.push(err74),errors++}if(!pattern10.test(data23)){
const err75={instancePath:instancePath+"/spec/interconnect/level",schemaPath:"#/properties/spec/properties/interconnect/properties/level/pattern",keyword:"patte\
rn",params:{pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}};vErrors===null?vErrors=[err75]:vErrors.push(err75),errors++}}else{const err76={instancePath:instancePath+
"/spec/interconnect/level",schemaPath:"#/properties/spec/properties/interconnect/properties/level/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=
[err76]:vErrors.push(err76),errors++}}if(data22.devices!==void 0){let data24=data22.devices;if(!(typeof data24=="number"&&!(data24%1)&&!isNaN(data24)&&isFinite(
data24))){const err77={instancePath:instancePath+"/spec/interconnect/devices",schemaPath:"#/properties/spec/properties/interconnect/properties/devices/type",keyword:"\
type",params:{type:"integer"}};vErrors===null?vErrors=[err77]:vErrors.push(err77),errors++}if(typeof data24=="number"&&isFinite(data24)){if(data24>1e6||isNaN(data24)){
const err78={instancePath:instancePath+"/spec/interconnect/devices",schemaPath:"#/properties/spec/properties/interconnect/properties/devices/maximum",keyword:"m\
aximum",params:{comparison:"<=",limit:1e6}};vErrors===null?vErrors=[err78]:vErrors.push(err78),errors++}if(data24<1||isNaN(data24)){const err79={instancePath:instancePath+
"/spec/interconnect/devices",schemaPath:"#/properties/spec/properties/interconnect/properties/devices/minimum",keyword:"minimum",params:{comparison:">=",limit:1}};
vErrors===null?vErrors=[err79]:vErrors.push(err79),errors++}}}}else{const err80={instancePath:instancePath+"/spec/interconnect",schemaPath:"#/properties/spec/pr\
operties/interconnect/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err80]:vErrors.push(err80),errors++}}if(data4.alignment!==void 0){let data25=data4.
alignment;if(data25&&typeof data25=="object"&&!Array.isArray(data25)){for(const key6 in data25)if(!(key6==="numa"||key6==="pcie")){const err81={instancePath:instancePath+
"/spec/alignment",schemaPath:"#/properties/spec/properties/alignment/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key6}};vErrors===
null?vErrors=[err81]:vErrors.push(err81),errors++}if(data25.numa!==void 0){let data26=data25.numa;if(typeof data26=="string"){if(data26.length>316){const err82={
instancePath:instancePath+"/spec/alignment/numa",schemaPath:"#/properties/spec/properties/alignment/properties/numa/maxLength",keyword:"maxLength",params:{limit:316}};
vErrors===null?vErrors=[err82]:vErrors.push(err82),errors++}if(!pattern11.test(data26)){const err83={instancePath:instancePath+"/spec/alignment/numa",schemaPath:"\
#/properties/spec/properties/alignment/properties/numa/pattern",keyword:"pattern",params:{pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]\
*[A-Za-z0-9])?$"}};vErrors===null?vErrors=[err83]:vErrors.push(err83),errors++}}else{const err84={instancePath:instancePath+"/spec/alignment/numa",schemaPath:"#\
/properties/spec/properties/alignment/properties/numa/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err84]:vErrors.push(err84),errors++}}
if(data25.pcie!==void 0){let data27=data25.pcie;if(typeof data27=="string"){if(data27.length>316){const err85={instancePath:instancePath+"/spec/alignment/pcie",
schemaPath:"#/properties/spec/properties/alignment/properties/pcie/maxLength",keyword:"maxLength",params:{limit:316}};vErrors===null?vErrors=[err85]:vErrors.push(
err85),errors++}if(!pattern11.test(data27)){const err86={instancePath:instancePath+"/spec/alignment/pcie",schemaPath:"#/properties/spec/properties/alignment/pro\
perties/pcie/pattern",keyword:"pattern",params:{pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$"}};vErrors===null?vErrors=
[err86]:vErrors.push(err86),errors++}}else{const err87={instancePath:instancePath+"/spec/alignment/pcie",schemaPath:"#/properties/spec/properties/alignment/prop\
erties/pcie/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err87]:vErrors.push(err87),errors++}}}else{const err88={instancePath:instancePath+
"/spec/alignment",schemaPath:"#/properties/spec/properties/alignment/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err88]:vErrors.push(err88),
errors++}}}else{const err89={instancePath:instancePath+"/spec",schemaPath:"#/properties/spec/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=
[err89]:vErrors.push(err89),errors++}}}else{const err90={instancePath,schemaPath:"#/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err90]:
vErrors.push(err90),errors++}return validate85.errors=vErrors,errors===0}validate85.evaluated={props:!0,dynamicProps:!1,dynamicItems:!1};const CapacityPool=validate86,
schema32={$id:"https://plimsoll.dev/v1alpha1/CapacityPool.json",type:"object",properties:{apiVersion:{const:"plimsoll.dev/v1alpha1"},kind:{const:"CapacityPool"},
metadata:{type:"object",properties:{name:{type:"string",pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",maxLength:63}},required:["name"],additionalProperties:!1},spec:{
type:"object",properties:{accelerator:{type:"string",pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",maxLength:63},acceleratorsPerNode:{type:"integer",minimum:0,maximum:1e6},
capacityType:{type:"string",enum:["reserved","on-demand","spot"]},node:{type:"object",properties:{allocatable:{type:"object",propertyNames:{type:"string",pattern:"\
^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$",maxLength:316},additionalProperties:{type:["string","number"],pattern:"^[0-9]+(\\.[\
0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$",maxLength:40,minimum:0},maxProperties:64},capacity:{type:"object",propertyNames:{type:"string",pattern:"^([a-z0-9]([\
-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$",maxLength:316},additionalProperties:{type:["string","number"],pattern:"^[0-9]+(\\.[0-9]+)?(m|k|\
M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$",maxLength:40,minimum:0},maxProperties:64},labels:{type:"object",propertyNames:{type:"string",pattern:"^([a-z0-9]([-a-z0-9.]*[a-z\
0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$",maxLength:316},additionalProperties:{type:"string",pattern:"^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$",maxLength:63},
maxProperties:128},taints:{type:"array",maxItems:32,items:{type:"object",properties:{key:{type:"string",pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9](\
[-A-Za-z0-9_.]*[A-Za-z0-9])?$",maxLength:316},value:{type:"string",pattern:"^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$",maxLength:63},effect:{type:"string",enum:[
"NoSchedule","PreferNoSchedule","NoExecute"]}},required:["key","effect"],additionalProperties:!1}},mechanism:{type:"string",enum:["device-plugin","dra","none"]},
numa:{type:"object",properties:{nodes:{type:"integer",minimum:2,maximum:8},policy:{type:"string",enum:["single-numa-node","restricted"]},scope:{type:"string",enum:[
"container","pod"]}},required:["nodes","policy"],additionalProperties:!1},device:{type:"object",properties:{driver:{type:"string",pattern:"^[a-z0-9]([-a-z0-9]*[\
a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",maxLength:63},attributes:{type:"object",additionalProperties:{type:["string","number","boolean"],maxLength:64},maxProperties:32},
capacity:{type:"object",propertyNames:{type:"string",pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$",maxLength:316},additionalProperties:{
type:["string","number"],pattern:"^[0-9]+(\\.[0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$",maxLength:40,minimum:0},maxProperties:64},groups:{type:"array",minItems:1,
maxItems:128,items:{type:"object",properties:{count:{type:"integer",minimum:1,maximum:128},attributes:{type:"object",additionalProperties:{type:["string","numbe\
r","boolean"],maxLength:64},maxProperties:32}},required:["attributes"],additionalProperties:!1}}},required:["driver"],additionalProperties:!1},network:{type:"ob\
ject",properties:{driver:{type:"string",pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",maxLength:63},attributes:{type:"object",additionalProperties:{
type:["string","number","boolean"],maxLength:64},maxProperties:32},capacity:{type:"object",propertyNames:{type:"string",pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])\
?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$",maxLength:316},additionalProperties:{type:["string","number"],pattern:"^[0-9]+(\\.[0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|\
Ti|Pi|Ei)?$",maxLength:40,minimum:0},maxProperties:64},groups:{type:"array",minItems:1,maxItems:128,items:{type:"object",properties:{count:{type:"integer",minimum:1,
maximum:128},attributes:{type:"object",additionalProperties:{type:["string","number","boolean"],maxLength:64},maxProperties:32}},required:["attributes"],additionalProperties:!1}},
count:{type:"integer",minimum:1,maximum:128}},required:["driver","count"],additionalProperties:!1}},required:["allocatable"],additionalProperties:!1},zones:{type:"\
array",items:{type:"string",pattern:"^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$",maxLength:63},minItems:0,maxItems:256,uniqueItems:!0},members:{type:"object",
properties:{matchLabels:{type:"object",propertyNames:{type:"string",pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$",maxLength:316},
additionalProperties:{type:"string",pattern:"^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$",maxLength:63},maxProperties:128},matchExpressions:{type:"array",maxItems:64,
items:{type:"object",properties:{key:{type:"string",pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$",maxLength:316},operator:{
type:"string",enum:["In","NotIn","Exists","DoesNotExist"]},values:{type:"array",items:{type:"string",maxLength:63},minItems:0,maxItems:256,uniqueItems:!0}},required:[
"key","operator"],additionalProperties:!1}}},additionalProperties:!1},maxNodes:{type:"integer",minimum:0,maximum:1e6},startup:{type:"string",pattern:"^([0-9]+(\\\
.[0-9]+)?(ms|s|m|h))+$",maxLength:32},pricePerHour:{type:"number",minimum:0},reservation:{type:"object",properties:{name:{type:"string",minLength:1,maxLength:253},
label:{type:"object",properties:{key:{type:"string",pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$",maxLength:316},value:{
type:"string",pattern:"^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$",maxLength:63}},required:["key","value"],additionalProperties:!1},nodes:{type:"integer",minimum:0,
maximum:1e6},start:{type:"string",pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$",maxLength:40},end:{type:"\
string",pattern:"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$",maxLength:40},reclaim:{type:"string",pattern:"^([\
0-9]+(\\.[0-9]+)?(ms|s|m|h))+$",maxLength:32}},required:["name"],additionalProperties:!1},together:{type:"array",items:{type:"string",pattern:"^[a-z0-9]([-a-z0-\
9]*[a-z0-9])?$",maxLength:63},minItems:0,maxItems:256,uniqueItems:!0}},required:["capacityType","node","members","maxNodes"],additionalProperties:!1}},required:[
"apiVersion","kind","metadata","spec"],additionalProperties:!1},pattern60=new RegExp("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?(Z|[+-][0\
-9]{2}:[0-9]{2})$","u");function validate86(data,{instancePath="",parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){let vErrors=null,errors=0;const evaluated0=validate86.
evaluated;if(evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.dynamicItems&&(evaluated0.items=void 0),data&&typeof data=="object"&&!Array.isArray(data)){
if(data.apiVersion===void 0){const err0={instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty:"apiVersion"}};vErrors===null?vErrors=[
err0]:vErrors.push(err0),errors++}if(data.kind===void 0){const err1={instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty:"kind"}};vErrors===
null?vErrors=[err1]:vErrors.push(err1),errors++}if(data.metadata===void 0){const err2={instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty:"\
metadata"}};vErrors===null?vErrors=[err2]:vErrors.push(err2),errors++}if(data.spec===void 0){const err3={instancePath,schemaPath:"#/required",keyword:"required",
params:{missingProperty:"spec"}};vErrors===null?vErrors=[err3]:vErrors.push(err3),errors++}for(const key0 in data)if(!(key0==="apiVersion"||key0==="kind"||key0===
"metadata"||key0==="spec")){const err4={instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key0}};vErrors===
null?vErrors=[err4]:vErrors.push(err4),errors++}if(data.apiVersion!==void 0&&data.apiVersion!=="plimsoll.dev/v1alpha1"){const err5={instancePath:instancePath+"/\
apiVersion",schemaPath:"#/properties/apiVersion/const",keyword:"const",params:{allowedValue:"plimsoll.dev/v1alpha1"}};vErrors===null?vErrors=[err5]:vErrors.push(
err5),errors++}if(data.kind!==void 0&&data.kind!=="CapacityPool"){const err6={instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/const",keyword:"co\
nst",params:{allowedValue:"CapacityPool"}};vErrors===null?vErrors=[err6]:vErrors.push(err6),errors++}if(data.metadata!==void 0){let data2=data.metadata;if(data2&&
typeof data2=="object"&&!Array.isArray(data2)){if(data2.name===void 0){const err7={instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/requi\
red",keyword:"required",params:{missingProperty:"name"}};vErrors===null?vErrors=[err7]:vErrors.push(err7),errors++}for(const key1 in data2)if(key1!=="name"){const err8={
instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key1}};vErrors===
null?vErrors=[err8]:vErrors.push(err8),errors++}if(data2.name!==void 0){let data3=data2.name;if(typeof data3=="string"){if(data3.length>63){const err9={instancePath:instancePath+
"/metadata/name",schemaPath:"#/properties/metadata/properties/name/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err9]:vErrors.push(
err9),errors++}if(!pattern10.test(data3)){const err10={instancePath:instancePath+"/metadata/name",schemaPath:"#/properties/metadata/properties/name/pattern",keyword:"\
pattern",params:{pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}};vErrors===null?vErrors=[err10]:vErrors.push(err10),errors++}}else{const err11={instancePath:instancePath+
"/metadata/name",schemaPath:"#/properties/metadata/properties/name/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err11]:vErrors.push(err11),
errors++}}}else{const err12={instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/type",keyword:"type",params:{type:"object"}};vErrors===null?
vErrors=[err12]:vErrors.push(err12),errors++}}if(data.spec!==void 0){let data4=data.spec;if(data4&&typeof data4=="object"&&!Array.isArray(data4)){if(data4.capacityType===
void 0){const err13={instancePath:instancePath+"/spec",schemaPath:"#/properties/spec/required",keyword:"required",params:{missingProperty:"capacityType"}};vErrors===
null?vErrors=[err13]:vErrors.push(err13),errors++}if(data4.node===void 0){const err14={instancePath:instancePath+"/spec",schemaPath:"#/properties/spec/required",
keyword:"required",params:{missingProperty:"node"}};vErrors===null?vErrors=[err14]:vErrors.push(err14),errors++}if(data4.members===void 0){const err15={instancePath:instancePath+
"/spec",schemaPath:"#/properties/spec/required",keyword:"required",params:{missingProperty:"members"}};vErrors===null?vErrors=[err15]:vErrors.push(err15),errors++}
if(data4.maxNodes===void 0){const err16={instancePath:instancePath+"/spec",schemaPath:"#/properties/spec/required",keyword:"required",params:{missingProperty:"m\
axNodes"}};vErrors===null?vErrors=[err16]:vErrors.push(err16),errors++}for(const key2 in data4)if(!func1.call(schema32.properties.spec.properties,key2)){const err17={
instancePath:instancePath+"/spec",schemaPath:"#/properties/spec/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key2}};vErrors===
null?vErrors=[err17]:vErrors.push(err17),errors++}if(data4.accelerator!==void 0){let data5=data4.accelerator;if(typeof data5=="string"){if(data5.length>63){const err18={
instancePath:instancePath+"/spec/accelerator",schemaPath:"#/properties/spec/properties/accelerator/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?
vErrors=[err18]:vErrors.push(err18),errors++}if(!pattern10.test(data5)){const err19={instancePath:instancePath+"/spec/accelerator",schemaPath:"#/properties/spec\
/properties/accelerator/pattern",keyword:"pattern",params:{pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}};vErrors===null?vErrors=[err19]:vErrors.push(err19),errors++}}else{
const err20={instancePath:instancePath+"/spec/accelerator",schemaPath:"#/properties/spec/properties/accelerator/type",keyword:"type",params:{type:"string"}};vErrors===
null?vErrors=[err20]:vErrors.push(err20),errors++}}if(data4.acceleratorsPerNode!==void 0){let data6=data4.acceleratorsPerNode;if(!(typeof data6=="number"&&!(data6%
1)&&!isNaN(data6)&&isFinite(data6))){const err21={instancePath:instancePath+"/spec/acceleratorsPerNode",schemaPath:"#/properties/spec/properties/acceleratorsPer\
Node/type",keyword:"type",params:{type:"integer"}};vErrors===null?vErrors=[err21]:vErrors.push(err21),errors++}if(typeof data6=="number"&&isFinite(data6)){if(data6>
1e6||isNaN(data6)){const err22={instancePath:instancePath+"/spec/acceleratorsPerNode",schemaPath:"#/properties/spec/properties/acceleratorsPerNode/maximum",keyword:"\
maximum",params:{comparison:"<=",limit:1e6}};vErrors===null?vErrors=[err22]:vErrors.push(err22),errors++}if(data6<0||isNaN(data6)){const err23={instancePath:instancePath+
"/spec/acceleratorsPerNode",schemaPath:"#/properties/spec/properties/acceleratorsPerNode/minimum",keyword:"minimum",params:{comparison:">=",limit:0}};vErrors===
null?vErrors=[err23]:vErrors.push(err23),errors++}}}if(data4.capacityType!==void 0){let data7=data4.capacityType;if(typeof data7!="string"){const err24={instancePath:instancePath+
"/spec/capacityType",schemaPath:"#/properties/spec/properties/capacityType/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err24]:vErrors.push(
err24),errors++}if(!(data7==="reserved"||data7==="on-demand"||data7==="spot")){const err25={instancePath:instancePath+"/spec/capacityType",schemaPath:"#/propert\
ies/spec/properties/capacityType/enum",keyword:"enum",params:{allowedValues:schema32.properties.spec.properties.capacityType.enum}};vErrors===null?vErrors=[err25]:
vErrors.push(err25),errors++}}if(data4.node!==void 0){let data8=data4.node;if(data8&&typeof data8=="object"&&!Array.isArray(data8)){if(data8.allocatable===void 0){
const err26={instancePath:instancePath+"/spec/node",schemaPath:"#/properties/spec/properties/node/required",keyword:"required",params:{missingProperty:"allocata\
ble"}};vErrors===null?vErrors=[err26]:vErrors.push(err26),errors++}for(const key3 in data8)if(!(key3==="allocatable"||key3==="capacity"||key3==="labels"||key3===
"taints"||key3==="mechanism"||key3==="numa"||key3==="device"||key3==="network")){const err27={instancePath:instancePath+"/spec/node",schemaPath:"#/properties/sp\
ec/properties/node/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key3}};vErrors===null?vErrors=[err27]:vErrors.push(err27),errors++}
if(data8.allocatable!==void 0){let data9=data8.allocatable;if(data9&&typeof data9=="object"&&!Array.isArray(data9)){if(Object.keys(data9).length>64){const err28={
instancePath:instancePath+"/spec/node/allocatable",schemaPath:"#/properties/spec/properties/node/properties/allocatable/maxProperties",keyword:"maxProperties",params:{
limit:64}};vErrors===null?vErrors=[err28]:vErrors.push(err28),errors++}for(const key4 in data9){const _errs23=errors;if(typeof key4=="string"){if(key4.length>316){
const err29={instancePath:instancePath+"/spec/node/allocatable",schemaPath:"#/properties/spec/properties/node/properties/allocatable/propertyNames/maxLength",keyword:"\
maxLength",params:{limit:316},propertyName:key4};vErrors===null?vErrors=[err29]:vErrors.push(err29),errors++}if(!pattern11.test(key4)){const err30={instancePath:instancePath+
"/spec/node/allocatable",schemaPath:"#/properties/spec/properties/node/properties/allocatable/propertyNames/pattern",keyword:"pattern",params:{pattern:"^([a-z0-\
9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$"},propertyName:key4};vErrors===null?vErrors=[err30]:vErrors.push(err30),errors++}}else{const err31={
instancePath:instancePath+"/spec/node/allocatable",schemaPath:"#/properties/spec/properties/node/properties/allocatable/propertyNames/type",keyword:"type",params:{
type:"string"},propertyName:key4};vErrors===null?vErrors=[err31]:vErrors.push(err31),errors++}var valid4=_errs23===errors;if(!valid4){const err32={instancePath:instancePath+
"/spec/node/allocatable",schemaPath:"#/properties/spec/properties/node/properties/allocatable/propertyNames",keyword:"propertyNames",params:{propertyName:key4}};
vErrors===null?vErrors=[err32]:vErrors.push(err32),errors++}}for(const key5 in data9){let data10=data9[key5];if(typeof data10!="string"&&!(typeof data10=="numbe\
r"&&isFinite(data10))){const err33={instancePath:instancePath+"/spec/node/allocatable/"+key5.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/spe\
c/properties/node/properties/allocatable/additionalProperties/type",keyword:"type",params:{type:schema32.properties.spec.properties.node.properties.allocatable.
additionalProperties.type}};vErrors===null?vErrors=[err33]:vErrors.push(err33),errors++}if(typeof data10=="number"&&isFinite(data10)&&(data10<0||isNaN(data10))){
const err34={instancePath:instancePath+"/spec/node/allocatable/"+key5.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties/node/prope\
rties/allocatable/additionalProperties/minimum",keyword:"minimum",params:{comparison:">=",limit:0}};vErrors===null?vErrors=[err34]:vErrors.push(err34),errors++}
if(typeof data10=="string"){if(data10.length>40){const err35={instancePath:instancePath+"/spec/node/allocatable/"+key5.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"\
#/properties/spec/properties/node/properties/allocatable/additionalProperties/maxLength",keyword:"maxLength",params:{limit:40}};vErrors===null?vErrors=[err35]:vErrors.
push(err35),errors++}if(!pattern28.test(data10)){const err36={instancePath:instancePath+"/spec/node/allocatable/"+key5.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"\
#/properties/spec/properties/node/properties/allocatable/additionalProperties/pattern",keyword:"pattern",params:{pattern:"^[0-9]+(\\.[0-9]+)?(m|k|M|G|T|P|E|Ki|Mi\
|Gi|Ti|Pi|Ei)?$"}};vErrors===null?vErrors=[err36]:vErrors.push(err36),errors++}}}}else{const err37={instancePath:instancePath+"/spec/node/allocatable",schemaPath:"\
#/properties/spec/properties/node/properties/allocatable/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err37]:vErrors.push(err37),errors++}}
if(data8.capacity!==void 0){let data11=data8.capacity;if(data11&&typeof data11=="object"&&!Array.isArray(data11)){if(Object.keys(data11).length>64){const err38={
instancePath:instancePath+"/spec/node/capacity",schemaPath:"#/properties/spec/properties/node/properties/capacity/maxProperties",keyword:"maxProperties",params:{
limit:64}};vErrors===null?vErrors=[err38]:vErrors.push(err38),errors++}for(const key6 in data11){const _errs30=errors;if(typeof key6=="string"){if(key6.length>316){
const err39={instancePath:instancePath+"/spec/node/capacity",schemaPath:"#/properties/spec/properties/node/properties/capacity/propertyNames/maxLength",keyword:"\
maxLength",params:{limit:316},propertyName:key6};vErrors===null?vErrors=[err39]:vErrors.push(err39),errors++}if(!pattern11.test(key6)){const err40={instancePath:instancePath+
"/spec/node/capacity",schemaPath:"#/properties/spec/properties/node/properties/capacity/propertyNames/pattern",keyword:"pattern",params:{pattern:"^([a-z0-9]([-a\
-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$"},propertyName:key6};vErrors===null?vErrors=[err40]:vErrors.push(err40),errors++}}else{const err41={
instancePath:instancePath+"/spec/node/capacity",schemaPath:"#/properties/spec/properties/node/properties/capacity/propertyNames/type",keyword:"type",params:{type:"\
string"},propertyName:key6};vErrors===null?vErrors=[err41]:vErrors.push(err41),errors++}var valid6=_errs30===errors;if(!valid6){const err42={instancePath:instancePath+
"/spec/node/capacity",schemaPath:"#/properties/spec/properties/node/properties/capacity/propertyNames",keyword:"propertyNames",params:{propertyName:key6}};vErrors===
null?vErrors=[err42]:vErrors.push(err42),errors++}}for(const key7 in data11){let data12=data11[key7];if(typeof data12!="string"&&!(typeof data12=="number"&&isFinite(
data12))){const err43={instancePath:instancePath+"/spec/node/capacity/"+key7.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties/nod\
e/properties/capacity/additionalProperties/type",keyword:"type",params:{type:schema32.properties.spec.properties.node.properties.capacity.additionalProperties.type}};
vErrors===null?vErrors=[err43]:vErrors.push(err43),errors++}if(typeof data12=="number"&&isFinite(data12)&&(data12<0||isNaN(data12))){const err44={instancePath:instancePath+
"/spec/node/capacity/"+key7.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties/node/properties/capacity/additionalProperties/minimu\
m",keyword:"minimum",params:{comparison:">=",limit:0}};vErrors===null?vErrors=[err44]:vErrors.push(err44),errors++}if(typeof data12=="string"){if(data12.length>
40){const err45={instancePath:instancePath+"/spec/node/capacity/"+key7.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties/node/prop\
erties/capacity/additionalProperties/maxLength",keyword:"maxLength",params:{limit:40}};vErrors===null?vErrors=[err45]:vErrors.push(err45),errors++}if(!pattern28.
test(data12)){const err46={instancePath:instancePath+"/spec/node/capacity/"+key7.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties\
/node/properties/capacity/additionalProperties/pattern",keyword:"pattern",params:{pattern:"^[0-9]+(\\.[0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$"}};vErrors===null?
vErrors=[err46]:vErrors.push(err46),errors++}}}}else{const err47={instancePath:instancePath+"/spec/node/capacity",schemaPath:"#/properties/spec/properties/node/\
properties/capacity/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err47]:vErrors.push(err47),errors++}}if(data8.labels!==void 0){let data13=data8.
labels;if(data13&&typeof data13=="object"&&!Array.isArray(data13)){if(Object.keys(data13).length>128){const err48={instancePath:instancePath+"/spec/node/labels",
schemaPath:"#/properties/spec/properties/node/properties/labels/maxProperties",keyword:"maxProperties",params:{limit:128}};vErrors===null?vErrors=[err48]:vErrors.
push(err48),errors++}for(const key8 in data13){const _errs37=errors;if(typeof key8=="string"){if(key8.length>316){const err49={instancePath:instancePath+"/spec/\
node/labels",schemaPath:"#/properties/spec/properties/node/properties/labels/propertyNames/maxLength",keyword:"maxLength",params:{limit:316},propertyName:key8};
vErrors===null?vErrors=[err49]:vErrors.push(err49),errors++}if(!pattern11.test(key8)){const err50={instancePath:instancePath+"/spec/node/labels",schemaPath:"#/p\
roperties/spec/properties/node/properties/labels/propertyNames/pattern",keyword:"pattern",params:{pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za\
-z0-9_.]*[A-Za-z0-9])?$"},propertyName:key8};vErrors===null?vErrors=[err50]:vErrors.push(err50),errors++}}else{const err51={instancePath:instancePath+"/spec/nod\
e/labels",schemaPath:"#/properties/spec/properties/node/properties/labels/propertyNames/type",keyword:"type",params:{type:"string"},propertyName:key8};vErrors===
null?vErrors=[err51]:vErrors.push(err51),errors++}var valid8=_errs37===errors;if(!valid8){const err52={instancePath:instancePath+"/spec/node/labels",schemaPath:"\
#/properties/spec/properties/node/properties/labels/propertyNames",keyword:"propertyNames",params:{propertyName:key8}};vErrors===null?vErrors=[err52]:vErrors.push(
err52),errors++}}for(const key9 in data13){let data14=data13[key9];if(typeof data14=="string"){if(data14.length>63){const err53={instancePath:instancePath+"/spe\
c/node/labels/"+key9.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties/node/properties/labels/additionalProperties/maxLength",keyword:"\
maxLength",params:{limit:63}};vErrors===null?vErrors=[err53]:vErrors.push(err53),errors++}if(!pattern12.test(data14)){const err54={instancePath:instancePath+"/s\
pec/node/labels/"+key9.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties/node/properties/labels/additionalProperties/pattern",keyword:"\
pattern",params:{pattern:"^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$"}};vErrors===null?vErrors=[err54]:vErrors.push(err54),errors++}}else{const err55={instancePath:instancePath+
"/spec/node/labels/"+key9.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties/node/properties/labels/additionalProperties/type",keyword:"\
type",params:{type:"string"}};vErrors===null?vErrors=[err55]:vErrors.push(err55),errors++}}}else{const err56={instancePath:instancePath+"/spec/node/labels",schemaPath:"\
#/properties/spec/properties/node/properties/labels/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err56]:vErrors.push(err56),errors++}}if(data8.
taints!==void 0){let data15=data8.taints;if(Array.isArray(data15)){if(data15.length>32){const err57={instancePath:instancePath+"/spec/node/taints",schemaPath:"#\
/properties/spec/properties/node/properties/taints/maxItems",keyword:"maxItems",params:{limit:32}};vErrors===null?vErrors=[err57]:vErrors.push(err57),errors++}const len0=data15.
length;for(let i0=0;i0<len0;i0++){let data16=data15[i0];if(data16&&typeof data16=="object"&&!Array.isArray(data16)){if(data16.key===void 0){const err58={instancePath:instancePath+
"/spec/node/taints/"+i0,schemaPath:"#/properties/spec/properties/node/properties/taints/items/required",keyword:"required",params:{missingProperty:"key"}};vErrors===
null?vErrors=[err58]:vErrors.push(err58),errors++}if(data16.effect===void 0){const err59={instancePath:instancePath+"/spec/node/taints/"+i0,schemaPath:"#/proper\
ties/spec/properties/node/properties/taints/items/required",keyword:"required",params:{missingProperty:"effect"}};vErrors===null?vErrors=[err59]:vErrors.push(err59),
errors++}for(const key10 in data16)if(!(key10==="key"||key10==="value"||key10==="effect")){const err60={instancePath:instancePath+"/spec/node/taints/"+i0,schemaPath:"\
#/properties/spec/properties/node/properties/taints/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key10}};vErrors===null?
vErrors=[err60]:vErrors.push(err60),errors++}if(data16.key!==void 0){let data17=data16.key;if(typeof data17=="string"){if(data17.length>316){const err61={instancePath:instancePath+
"/spec/node/taints/"+i0+"/key",schemaPath:"#/properties/spec/properties/node/properties/taints/items/properties/key/maxLength",keyword:"maxLength",params:{limit:316}};
vErrors===null?vErrors=[err61]:vErrors.push(err61),errors++}if(!pattern11.test(data17)){const err62={instancePath:instancePath+"/spec/node/taints/"+i0+"/key",schemaPath:"\
#/properties/spec/properties/node/properties/taints/items/properties/key/pattern",keyword:"pattern",params:{pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0\
-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$"}};vErrors===null?vErrors=[err62]:vErrors.push(err62),errors++}}else{const err63={instancePath:instancePath+"/spec/node/taints\
/"+i0+"/key",schemaPath:"#/properties/spec/properties/node/properties/taints/items/properties/key/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=
[err63]:vErrors.push(err63),errors++}}if(data16.value!==void 0){let data18=data16.value;if(typeof data18=="string"){if(data18.length>63){const err64={instancePath:instancePath+
"/spec/node/taints/"+i0+"/value",schemaPath:"#/properties/spec/properties/node/properties/taints/items/properties/value/maxLength",keyword:"maxLength",params:{limit:63}};
vErrors===null?vErrors=[err64]:vErrors.push(err64),errors++}if(!pattern12.test(data18)){const err65={instancePath:instancePath+"/spec/node/taints/"+i0+"/value",
schemaPath:"#/properties/spec/properties/node/properties/taints/items/properties/value/pattern",keyword:"pattern",params:{pattern:"^([A-Za-z0-9]([-A-Za-z0-9_.]*\
[A-Za-z0-9])?)?$"}};vErrors===null?vErrors=[err65]:vErrors.push(err65),errors++}}else{const err66={instancePath:instancePath+"/spec/node/taints/"+i0+"/value",schemaPath:"\
#/properties/spec/properties/node/properties/taints/items/properties/value/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err66]:vErrors.push(
err66),errors++}}if(data16.effect!==void 0){let data19=data16.effect;if(typeof data19!="string"){const err67={instancePath:instancePath+"/spec/node/taints/"+i0+
"/effect",schemaPath:"#/properties/spec/properties/node/properties/taints/items/properties/effect/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=
[err67]:vErrors.push(err67),errors++}if(!(data19==="NoSchedule"||data19==="PreferNoSchedule"||data19==="NoExecute")){const err68={instancePath:instancePath+"/sp\
ec/node/taints/"+i0+"/effect",schemaPath:"#/properties/spec/properties/node/properties/taints/items/properties/effect/enum",keyword:"enum",params:{allowedValues:schema32.
properties.spec.properties.node.properties.taints.items.properties.effect.enum}};vErrors===null?vErrors=[err68]:vErrors.push(err68),errors++}}}else{const err69={
instancePath:instancePath+"/spec/node/taints/"+i0,schemaPath:"#/properties/spec/properties/node/properties/taints/items/type",keyword:"type",params:{type:"objec\
t"}};vErrors===null?vErrors=[err69]:vErrors.push(err69),errors++}}}else{const err70={instancePath:instancePath+"/spec/node/taints",schemaPath:"#/properties/spec\
/properties/node/properties/taints/type",keyword:"type",params:{type:"array"}};vErrors===null?vErrors=[err70]:vErrors.push(err70),errors++}}if(data8.mechanism!==
void 0){let data20=data8.mechanism;if(typeof data20!="string"){const err71={instancePath:instancePath+"/spec/node/mechanism",schemaPath:"#/properties/spec/prope\
rties/node/properties/mechanism/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err71]:vErrors.push(err71),errors++}if(!(data20==="device-p\
lugin"||data20==="dra"||data20==="none")){const err72={instancePath:instancePath+"/spec/node/mechanism",schemaPath:"#/properties/spec/properties/node/properties\
/mechanism/enum",keyword:"enum",params:{allowedValues:schema32.properties.spec.properties.node.properties.mechanism.enum}};vErrors===null?vErrors=[err72]:vErrors.
push(err72),errors++}}if(data8.numa!==void 0){let data21=data8.numa;if(data21&&typeof data21=="object"&&!Array.isArray(data21)){if(data21.nodes===void 0){const err73={
instancePath:instancePath+"/spec/node/numa",schemaPath:"#/properties/spec/properties/node/properties/numa/required",keyword:"required",params:{missingProperty:"\
nodes"}};vErrors===null?vErrors=[err73]:vErrors.push(err73),errors++}if(data21.policy===void 0){const err74={instancePath:instancePath+"/spec/node/numa",schemaPath:"\
#/properties/spec/properties/node/properties/numa/required",keyword:"required",params:{missingProperty:"policy"}};vErrors===null?vErrors=[err74]:vErrors.push(err74),
errors++}for(const key11 in data21)if(!(key11==="nodes"||key11==="policy"||key11==="scope")){const err75={instancePath:instancePath+"/spec/node/numa",schemaPath:"\
#/properties/spec/properties/node/properties/numa/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key11}};vErrors===null?vErrors=
[err75]:vErrors.push(err75),errors++}if(data21.nodes!==void 0){let data22=data21.nodes;if(!(typeof data22=="number"&&!(data22%1)&&!isNaN(data22)&&isFinite(data22))){
const err76={instancePath:instancePath+"/spec/node/numa/nodes",schemaPath:"#/properties/spec/properties/node/properties/numa/properties/nodes/type",keyword:"typ\
e",params:{type:"integer"}};vErrors===null?vErrors=[err76]:vErrors.push(err76),errors++}if(typeof data22=="number"&&isFinite(data22)){if(data22>8||isNaN(data22)){
const err77={instancePath:instancePath+"/spec/node/numa/nodes",schemaPath:"#/properties/spec/properties/node/properties/numa/properties/nodes/maximum",keyword:"\
maximum",params:{comparison:"<=",limit:8}};vErrors===null?vErrors=[err77]:vErrors.push(err77),errors++}if(data22<2||isNaN(data22)){const err78={instancePath:instancePath+
"/spec/node/numa/nodes",schemaPath:"#/properties/spec/properties/node/properties/numa/properties/nodes/minimum",keyword:"minimum",params:{comparison:">=",limit:2}};
vErrors===null?vErrors=[err78]:vErrors.push(err78),errors++}}}if(data21.policy!==void 0){let data23=data21.policy;if(typeof data23!="string"){const err79={instancePath:instancePath+
"/spec/node/numa/policy",schemaPath:"#/properties/spec/properties/node/properties/numa/properties/policy/type",keyword:"type",params:{type:"string"}};vErrors===
null?vErrors=[err79]:vErrors.push(err79),errors++}if(!(data23==="single-numa-node"||data23==="restricted")){const err80={instancePath:instancePath+"/spec/node/n\
uma/policy",schemaPath:"#/properties/spec/properties/node/properties/numa/properties/policy/enum",keyword:"enum",params:{allowedValues:schema32.properties.spec.
properties.node.properties.numa.properties.policy.enum}};vErrors===null?vErrors=[err80]:vErrors.push(err80),errors++}}if(data21.scope!==void 0){let data24=data21.
scope;if(typeof data24!="string"){const err81={instancePath:instancePath+"/spec/node/numa/scope",schemaPath:"#/properties/spec/properties/node/properties/numa/p\
roperties/scope/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err81]:vErrors.push(err81),errors++}if(!(data24==="container"||data24==="po\
d")){const err82={instancePath:instancePath+"/spec/node/numa/scope",schemaPath:"#/properties/spec/properties/node/properties/numa/properties/scope/enum",keyword:"\
enum",params:{allowedValues:schema32.properties.spec.properties.node.properties.numa.properties.scope.enum}};vErrors===null?vErrors=[err82]:vErrors.push(err82),
errors++}}}else{const err83={instancePath:instancePath+"/spec/node/numa",schemaPath:"#/properties/spec/properties/node/properties/numa/type",keyword:"type",params:{
type:"object"}};vErrors===null?vErrors=[err83]:vErrors.push(err83),errors++}}if(data8.device!==void 0){let data25=data8.device;if(data25&&typeof data25=="object"&&
!Array.isArray(data25)){if(data25.driver===void 0){const err84={instancePath:instancePath+"/spec/node/device",schemaPath:"#/properties/spec/properties/node/prop\
erties/device/required",keyword:"required",params:{missingProperty:"driver"}};vErrors===null?vErrors=[err84]:vErrors.push(err84),errors++}for(const key12 in data25)
if(!(key12==="driver"||key12==="attributes"||key12==="capacity"||key12==="groups")){const err85={instancePath:instancePath+"/spec/node/device",schemaPath:"#/pro\
perties/spec/properties/node/properties/device/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key12}};vErrors===null?vErrors=[err85]:
vErrors.push(err85),errors++}if(data25.driver!==void 0){let data26=data25.driver;if(typeof data26=="string"){if(data26.length>63){const err86={instancePath:instancePath+
"/spec/node/device/driver",schemaPath:"#/properties/spec/properties/node/properties/device/properties/driver/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===
null?vErrors=[err86]:vErrors.push(err86),errors++}if(!pattern32.test(data26)){const err87={instancePath:instancePath+"/spec/node/device/driver",schemaPath:"#/pr\
operties/spec/properties/node/properties/device/properties/driver/pattern",keyword:"pattern",params:{pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9\
]*[a-z0-9])?)*$"}};vErrors===null?vErrors=[err87]:vErrors.push(err87),errors++}}else{const err88={instancePath:instancePath+"/spec/node/device/driver",schemaPath:"\
#/properties/spec/properties/node/properties/device/properties/driver/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err88]:vErrors.push(err88),
errors++}}if(data25.attributes!==void 0){let data27=data25.attributes;if(data27&&typeof data27=="object"&&!Array.isArray(data27)){if(Object.keys(data27).length>
32){const err89={instancePath:instancePath+"/spec/node/device/attributes",schemaPath:"#/properties/spec/properties/node/properties/device/properties/attributes/\
maxProperties",keyword:"maxProperties",params:{limit:32}};vErrors===null?vErrors=[err89]:vErrors.push(err89),errors++}for(const key13 in data27){let data28=data27[key13];
if(typeof data28!="string"&&!(typeof data28=="number"&&isFinite(data28))&&typeof data28!="boolean"){const err90={instancePath:instancePath+"/spec/node/device/at\
tributes/"+key13.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties/node/properties/device/properties/attributes/additionalProperti\
es/type",keyword:"type",params:{type:schema32.properties.spec.properties.node.properties.device.properties.attributes.additionalProperties.type}};vErrors===null?
vErrors=[err90]:vErrors.push(err90),errors++}if(typeof data28=="string"&&data28.length>64){const err91={instancePath:instancePath+"/spec/node/device/attributes/"+
key13.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties/node/properties/device/properties/attributes/additionalProperties/maxLengt\
h",keyword:"maxLength",params:{limit:64}};vErrors===null?vErrors=[err91]:vErrors.push(err91),errors++}}}else{const err92={instancePath:instancePath+"/spec/node/\
device/attributes",schemaPath:"#/properties/spec/properties/node/properties/device/properties/attributes/type",keyword:"type",params:{type:"object"}};vErrors===
null?vErrors=[err92]:vErrors.push(err92),errors++}}if(data25.capacity!==void 0){let data29=data25.capacity;if(data29&&typeof data29=="object"&&!Array.isArray(data29)){
if(Object.keys(data29).length>64){const err93={instancePath:instancePath+"/spec/node/device/capacity",schemaPath:"#/properties/spec/properties/node/properties/d\
evice/properties/capacity/maxProperties",keyword:"maxProperties",params:{limit:64}};vErrors===null?vErrors=[err93]:vErrors.push(err93),errors++}for(const key14 in data29){
const _errs76=errors;if(typeof key14=="string"){if(key14.length>316){const err94={instancePath:instancePath+"/spec/node/device/capacity",schemaPath:"#/propertie\
s/spec/properties/node/properties/device/properties/capacity/propertyNames/maxLength",keyword:"maxLength",params:{limit:316},propertyName:key14};vErrors===null?
vErrors=[err94]:vErrors.push(err94),errors++}if(!pattern11.test(key14)){const err95={instancePath:instancePath+"/spec/node/device/capacity",schemaPath:"#/proper\
ties/spec/properties/node/properties/device/properties/capacity/propertyNames/pattern",keyword:"pattern",params:{pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-\
Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$"},propertyName:key14};vErrors===null?vErrors=[err95]:vErrors.push(err95),errors++}}else{const err96={instancePath:instancePath+
"/spec/node/device/capacity",schemaPath:"#/properties/spec/properties/node/properties/device/properties/capacity/propertyNames/type",keyword:"type",params:{type:"\
string"},propertyName:key14};vErrors===null?vErrors=[err96]:vErrors.push(err96),errors++}var valid16=_errs76===errors;if(!valid16){const err97={instancePath:instancePath+
"/spec/node/device/capacity",schemaPath:"#/properties/spec/properties/node/properties/device/properties/capacity/propertyNames",keyword:"propertyNames",params:{
propertyName:key14}};vErrors===null?vErrors=[err97]:vErrors.push(err97),errors++}}for(const key15 in data29){let data30=data29[key15];if(typeof data30!="string"&&
!(typeof data30=="number"&&isFinite(data30))){const err98={instancePath:instancePath+"/spec/node/device/capacity/"+key15.replace(/~/g,"~0").replace(/\//g,"~1"),
schemaPath:"#/properties/spec/properties/node/properties/device/properties/capacity/additionalProperties/type",keyword:"type",params:{type:schema32.properties.spec.
properties.node.properties.device.properties.capacity.additionalProperties.type}};vErrors===null?vErrors=[err98]:vErrors.push(err98),errors++}if(typeof data30==
"number"&&isFinite(data30)&&(data30<0||isNaN(data30))){const err99={instancePath:instancePath+"/spec/node/device/capacity/"+key15.replace(/~/g,"~0").replace(/\//g,
"~1"),schemaPath:"#/properties/spec/properties/node/properties/device/properties/capacity/additionalProperties/minimum",keyword:"minimum",params:{comparison:">=",
limit:0}};vErrors===null?vErrors=[err99]:vErrors.push(err99),errors++}if(typeof data30=="string"){if(data30.length>40){const err100={instancePath:instancePath+"\
/spec/node/device/capacity/"+key15.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties/node/properties/device/properties/capacity/ad\
ditionalProperties/maxLength",keyword:"maxLength",params:{limit:40}};vErrors===null?vErrors=[err100]:vErrors.push(err100),errors++}if(!pattern28.test(data30)){const err101={
instancePath:instancePath+"/spec/node/device/capacity/"+key15.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties/node/properties/de\
vice/properties/capacity/additionalProperties/pattern",keyword:"pattern",params:{pattern:"^[0-9]+(\\.[0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$"}};vErrors===null?
vErrors=[err101]:vErrors.push(err101),errors++}}}}else{const err102={instancePath:instancePath+"/spec/node/device/capacity",schemaPath:"#/properties/spec/proper\
ties/node/properties/device/properties/capacity/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err102]:vErrors.push(err102),errors++}}if(data25.
groups!==void 0){let data31=data25.groups;if(Array.isArray(data31)){if(data31.length>128){const err103={instancePath:instancePath+"/spec/node/device/groups",schemaPath:"\
#/properties/spec/properties/node/properties/device/properties/groups/maxItems",keyword:"maxItems",params:{limit:128}};vErrors===null?vErrors=[err103]:vErrors.push(
err103),errors++}if(data31.length<1){const err104={instancePath:instancePath+"/spec/node/device/groups",schemaPath:"#/properties/spec/properties/node/properties\
/device/properties/groups/minItems",keyword:"minItems",params:{limit:1}};vErrors===null?vErrors=[err104]:vErrors.push(err104),errors++}const len1=data31.length;
for(let i1=0;i1<len1;i1++){let data32=data31[i1];if(data32&&typeof data32=="object"&&!Array.isArray(data32)){if(data32.attributes===void 0){const err105={instancePath:instancePath+
"/spec/node/device/groups/"+i1,schemaPath:"#/properties/spec/properties/node/properties/device/properties/groups/items/required",keyword:"required",params:{missingProperty:"\
attributes"}};vErrors===null?vErrors=[err105]:vErrors.push(err105),errors++}for(const key16 in data32)if(!(key16==="count"||key16==="attributes")){const err106={
instancePath:instancePath+"/spec/node/device/groups/"+i1,schemaPath:"#/properties/spec/properties/node/properties/device/properties/groups/items/additionalPrope\
rties",keyword:"additionalProperties",params:{additionalProperty:key16}};vErrors===null?vErrors=[err106]:vErrors.push(err106),errors++}if(data32.count!==void 0){
let data33=data32.count;if(!(typeof data33=="number"&&!(data33%1)&&!isNaN(data33)&&isFinite(data33))){const err107={instancePath:instancePath+"/spec/node/device\
/groups/"+i1+"/count",schemaPath:"#/properties/spec/properties/node/properties/device/properties/groups/items/properties/count/type",keyword:"type",params:{type:"\
integer"}};vErrors===null?vErrors=[err107]:vErrors.push(err107),errors++}if(typeof data33=="number"&&isFinite(data33)){if(data33>128||isNaN(data33)){const err108={
instancePath:instancePath+"/spec/node/device/groups/"+i1+"/count",schemaPath:"#/properties/spec/properties/node/properties/device/properties/groups/items/proper\
ties/count/maximum",keyword:"maximum",params:{comparison:"<=",limit:128}};vErrors===null?vErrors=[err108]:vErrors.push(err108),errors++}if(data33<1||isNaN(data33)){
const err109={instancePath:instancePath+"/spec/node/device/groups/"+i1+"/count",schemaPath:"#/properties/spec/properties/node/properties/device/properties/group\
s/items/properties/count/minimum",keyword:"minimum",params:{comparison:">=",limit:1}};vErrors===null?vErrors=[err109]:vErrors.push(err109),errors++}}}if(data32.
attributes!==void 0){let data34=data32.attributes;if(data34&&typeof data34=="object"&&!Array.isArray(data34)){if(Object.keys(data34).length>32){const err110={instancePath:instancePath+
"/spec/node/device/groups/"+i1+"/attributes",schemaPath:"#/properties/spec/properties/node/properties/device/properties/groups/items/properties/attributes/maxPr\
operties",keyword:"maxProperties",params:{limit:32}};vErrors===null?vErrors=[err110]:vErrors.push(err110),errors++}for(const key17 in data34){let data35=data34[key17];
if(typeof data35!="string"&&!(typeof data35=="number"&&isFinite(data35))&&typeof data35!="boolean"){const err111={instancePath:instancePath+"/spec/node/device/g\
roups/"+i1+"/attributes/"+key17.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties/node/properties/device/properties/groups/items/p\
roperties/attributes/additionalProperties/type",keyword:"type",params:{type:schema32.properties.spec.properties.node.properties.device.properties.groups.items.properties.
attributes.additionalProperties.type}};vErrors===null?vErrors=[err111]:vErrors.push(err111),errors++}if(typeof data35=="string"&&data35.length>64){const err112={
instancePath:instancePath+"/spec/node/device/groups/"+i1+"/attributes/"+key17.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties/no\
de/properties/device/properties/groups/items/properties/attributes/additionalProperties/maxLength",keyword:"maxLength",params:{limit:64}};vErrors===null?vErrors=
[err112]:vErrors.push(err112),errors++}}}else{const err113={instancePath:instancePath+"/spec/node/device/groups/"+i1+"/attributes",schemaPath:"#/properties/spec\
/properties/node/properties/device/properties/groups/items/properties/attributes/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err113]:vErrors.
push(err113),errors++}}}else{const err114={instancePath:instancePath+"/spec/node/device/groups/"+i1,schemaPath:"#/properties/spec/properties/node/properties/dev\
ice/properties/groups/items/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err114]:vErrors.push(err114),errors++}}}else{const err115={instancePath:instancePath+
"/spec/node/device/groups",schemaPath:"#/properties/spec/properties/node/properties/device/properties/groups/type",keyword:"type",params:{type:"array"}};vErrors===
null?vErrors=[err115]:vErrors.push(err115),errors++}}}else{const err116={instancePath:instancePath+"/spec/node/device",schemaPath:"#/properties/spec/properties/\
node/properties/device/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err116]:vErrors.push(err116),errors++}}if(data8.network!==void 0){let data36=data8.
network;if(data36&&typeof data36=="object"&&!Array.isArray(data36)){if(data36.driver===void 0){const err117={instancePath:instancePath+"/spec/node/network",schemaPath:"\
#/properties/spec/properties/node/properties/network/required",keyword:"required",params:{missingProperty:"driver"}};vErrors===null?vErrors=[err117]:vErrors.push(
err117),errors++}if(data36.count===void 0){const err118={instancePath:instancePath+"/spec/node/network",schemaPath:"#/properties/spec/properties/node/properties\
/network/required",keyword:"required",params:{missingProperty:"count"}};vErrors===null?vErrors=[err118]:vErrors.push(err118),errors++}for(const key18 in data36)
if(!(key18==="driver"||key18==="attributes"||key18==="capacity"||key18==="groups"||key18==="count")){const err119={instancePath:instancePath+"/spec/node/network",
schemaPath:"#/properties/spec/properties/node/properties/network/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key18}};vErrors===
null?vErrors=[err119]:vErrors.push(err119),errors++}if(data36.driver!==void 0){let data37=data36.driver;if(typeof data37=="string"){if(data37.length>63){const err120={
instancePath:instancePath+"/spec/node/network/driver",schemaPath:"#/properties/spec/properties/node/properties/network/properties/driver/maxLength",keyword:"max\
Length",params:{limit:63}};vErrors===null?vErrors=[err120]:vErrors.push(err120),errors++}if(!pattern32.test(data37)){const err121={instancePath:instancePath+"/s\
pec/node/network/driver",schemaPath:"#/properties/spec/properties/node/properties/network/properties/driver/pattern",keyword:"pattern",params:{pattern:"^[a-z0-9\
]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$"}};vErrors===null?vErrors=[err121]:vErrors.push(err121),errors++}}else{const err122={instancePath:instancePath+
"/spec/node/network/driver",schemaPath:"#/properties/spec/properties/node/properties/network/properties/driver/type",keyword:"type",params:{type:"string"}};vErrors===
null?vErrors=[err122]:vErrors.push(err122),errors++}}if(data36.attributes!==void 0){let data38=data36.attributes;if(data38&&typeof data38=="object"&&!Array.isArray(
data38)){if(Object.keys(data38).length>32){const err123={instancePath:instancePath+"/spec/node/network/attributes",schemaPath:"#/properties/spec/properties/node\
/properties/network/properties/attributes/maxProperties",keyword:"maxProperties",params:{limit:32}};vErrors===null?vErrors=[err123]:vErrors.push(err123),errors++}
for(const key19 in data38){let data39=data38[key19];if(typeof data39!="string"&&!(typeof data39=="number"&&isFinite(data39))&&typeof data39!="boolean"){const err124={
instancePath:instancePath+"/spec/node/network/attributes/"+key19.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties/node/properties\
/network/properties/attributes/additionalProperties/type",keyword:"type",params:{type:schema32.properties.spec.properties.node.properties.network.properties.attributes.
additionalProperties.type}};vErrors===null?vErrors=[err124]:vErrors.push(err124),errors++}if(typeof data39=="string"&&data39.length>64){const err125={instancePath:instancePath+
"/spec/node/network/attributes/"+key19.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties/node/properties/network/properties/attrib\
utes/additionalProperties/maxLength",keyword:"maxLength",params:{limit:64}};vErrors===null?vErrors=[err125]:vErrors.push(err125),errors++}}}else{const err126={instancePath:instancePath+
"/spec/node/network/attributes",schemaPath:"#/properties/spec/properties/node/properties/network/properties/attributes/type",keyword:"type",params:{type:"object"}};
vErrors===null?vErrors=[err126]:vErrors.push(err126),errors++}}if(data36.capacity!==void 0){let data40=data36.capacity;if(data40&&typeof data40=="object"&&!Array.
isArray(data40)){if(Object.keys(data40).length>64){const err127={instancePath:instancePath+"/spec/node/network/capacity",schemaPath:"#/properties/spec/propertie\
s/node/properties/network/properties/capacity/maxProperties",keyword:"maxProperties",params:{limit:64}};vErrors===null?vErrors=[err127]:vErrors.push(err127),errors++}
for(const key20 in data40){const _errs105=errors;if(typeof key20=="string"){if(key20.length>316){const err128={instancePath:instancePath+"/spec/node/network/cap\
acity",schemaPath:"#/properties/spec/properties/node/properties/network/properties/capacity/propertyNames/maxLength",keyword:"maxLength",params:{limit:316},propertyName:key20};
vErrors===null?vErrors=[err128]:vErrors.push(err128),errors++}if(!pattern11.test(key20)){const err129={instancePath:instancePath+"/spec/node/network/capacity",schemaPath:"\
#/properties/spec/properties/node/properties/network/properties/capacity/propertyNames/pattern",keyword:"pattern",params:{pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9\
])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$"},propertyName:key20};vErrors===null?vErrors=[err129]:vErrors.push(err129),errors++}}else{const err130={instancePath:instancePath+
"/spec/node/network/capacity",schemaPath:"#/properties/spec/properties/node/properties/network/properties/capacity/propertyNames/type",keyword:"type",params:{type:"\
string"},propertyName:key20};vErrors===null?vErrors=[err130]:vErrors.push(err130),errors++}var valid24=_errs105===errors;if(!valid24){const err131={instancePath:instancePath+
"/spec/node/network/capacity",schemaPath:"#/properties/spec/properties/node/properties/network/properties/capacity/propertyNames",keyword:"propertyNames",params:{
propertyName:key20}};vErrors===null?vErrors=[err131]:vErrors.push(err131),errors++}}for(const key21 in data40){let data41=data40[key21];if(typeof data41!="strin\
g"&&!(typeof data41=="number"&&isFinite(data41))){const err132={instancePath:instancePath+"/spec/node/network/capacity/"+key21.replace(/~/g,"~0").replace(/\//g,
"~1"),schemaPath:"#/properties/spec/properties/node/properties/network/properties/capacity/additionalProperties/type",keyword:"type",params:{type:schema32.properties.
spec.properties.node.properties.network.properties.capacity.additionalProperties.type}};vErrors===null?vErrors=[err132]:vErrors.push(err132),errors++}if(typeof data41==
"number"&&isFinite(data41)&&(data41<0||isNaN(data41))){const err133={instancePath:instancePath+"/spec/node/network/capacity/"+key21.replace(/~/g,"~0").replace(/\//g,
"~1"),schemaPath:"#/properties/spec/properties/node/properties/network/properties/capacity/additionalProperties/minimum",keyword:"minimum",params:{comparison:">\
=",limit:0}};vErrors===null?vErrors=[err133]:vErrors.push(err133),errors++}if(typeof data41=="string"){if(data41.length>40){const err134={instancePath:instancePath+
"/spec/node/network/capacity/"+key21.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties/node/properties/network/properties/capacity\
/additionalProperties/maxLength",keyword:"maxLength",params:{limit:40}};vErrors===null?vErrors=[err134]:vErrors.push(err134),errors++}if(!pattern28.test(data41)){
const err135={instancePath:instancePath+"/spec/node/network/capacity/"+key21.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties/nod\
e/properties/network/properties/capacity/additionalProperties/pattern",keyword:"pattern",params:{pattern:"^[0-9]+(\\.[0-9]+)?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$"}};
vErrors===null?vErrors=[err135]:vErrors.push(err135),errors++}}}}else{const err136={instancePath:instancePath+"/spec/node/network/capacity",schemaPath:"#/proper\
ties/spec/properties/node/properties/network/properties/capacity/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err136]:vErrors.push(err136),
errors++}}if(data36.groups!==void 0){let data42=data36.groups;if(Array.isArray(data42)){if(data42.length>128){const err137={instancePath:instancePath+"/spec/nod\
e/network/groups",schemaPath:"#/properties/spec/properties/node/properties/network/properties/groups/maxItems",keyword:"maxItems",params:{limit:128}};vErrors===
null?vErrors=[err137]:vErrors.push(err137),errors++}if(data42.length<1){const err138={instancePath:instancePath+"/spec/node/network/groups",schemaPath:"#/proper\
ties/spec/properties/node/properties/network/properties/groups/minItems",keyword:"minItems",params:{limit:1}};vErrors===null?vErrors=[err138]:vErrors.push(err138),
errors++}const len2=data42.length;for(let i2=0;i2<len2;i2++){let data43=data42[i2];if(data43&&typeof data43=="object"&&!Array.isArray(data43)){if(data43.attributes===
void 0){const err139={instancePath:instancePath+"/spec/node/network/groups/"+i2,schemaPath:"#/properties/spec/properties/node/properties/network/properties/grou\
ps/items/required",keyword:"required",params:{missingProperty:"attributes"}};vErrors===null?vErrors=[err139]:vErrors.push(err139),errors++}for(const key22 in data43)
if(!(key22==="count"||key22==="attributes")){const err140={instancePath:instancePath+"/spec/node/network/groups/"+i2,schemaPath:"#/properties/spec/properties/no\
de/properties/network/properties/groups/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key22}};vErrors===null?vErrors=[err140]:
vErrors.push(err140),errors++}if(data43.count!==void 0){let data44=data43.count;if(!(typeof data44=="number"&&!(data44%1)&&!isNaN(data44)&&isFinite(data44))){const err141={
instancePath:instancePath+"/spec/node/network/groups/"+i2+"/count",schemaPath:"#/properties/spec/properties/node/properties/network/properties/groups/items/prop\
erties/count/type",keyword:"type",params:{type:"integer"}};vErrors===null?vErrors=[err141]:vErrors.push(err141),errors++}if(typeof data44=="number"&&isFinite(data44)){
if(data44>128||isNaN(data44)){const err142={instancePath:instancePath+"/spec/node/network/groups/"+i2+"/count",schemaPath:"#/properties/spec/properties/node/pro\
perties/network/properties/groups/items/properties/count/maximum",keyword:"maximum",params:{comparison:"<=",limit:128}};vErrors===null?vErrors=[err142]:vErrors.
push(err142),errors++}if(data44<1||isNaN(data44)){const err143={instancePath:instancePath+"/spec/node/network/groups/"+i2+"/count",schemaPath:"#/properties/spec\
/properties/node/properties/network/properties/groups/items/properties/count/minimum",keyword:"minimum",params:{comparison:">=",limit:1}};vErrors===null?vErrors=
[err143]:vErrors.push(err143),errors++}}}if(data43.attributes!==void 0){let data45=data43.attributes;if(data45&&typeof data45=="object"&&!Array.isArray(data45)){
if(Object.keys(data45).length>32){const err144={instancePath:instancePath+"/spec/node/network/groups/"+i2+"/attributes",schemaPath:"#/properties/spec/properties\
/node/properties/network/properties/groups/items/properties/attributes/maxProperties",keyword:"maxProperties",params:{limit:32}};vErrors===null?vErrors=[err144]:
vErrors.push(err144),errors++}for(const key23 in data45){let data46=data45[key23];if(typeof data46!="string"&&!(typeof data46=="number"&&isFinite(data46))&&typeof data46!=
"boolean"){const err145={instancePath:instancePath+"/spec/node/network/groups/"+i2+"/attributes/"+key23.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/pro\
perties/spec/properties/node/properties/network/properties/groups/items/properties/attributes/additionalProperties/type",keyword:"type",params:{type:schema32.properties.
spec.properties.node.properties.network.properties.groups.items.properties.attributes.additionalProperties.type}};vErrors===null?vErrors=[err145]:vErrors.push(err145),
errors++}if(typeof data46=="string"&&data46.length>64){const err146={instancePath:instancePath+"/spec/node/network/groups/"+i2+"/attributes/"+key23.replace(/~/g,
"~0").replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties/node/properties/network/properties/groups/items/properties/attributes/additionalProperties/ma\
xLength",keyword:"maxLength",params:{limit:64}};vErrors===null?vErrors=[err146]:vErrors.push(err146),errors++}}}else{const err147={instancePath:instancePath+"/s\
pec/node/network/groups/"+i2+"/attributes",schemaPath:"#/properties/spec/properties/node/properties/network/properties/groups/items/properties/attributes/type",
keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err147]:vErrors.push(err147),errors++}}}else{const err148={instancePath:instancePath+"/spec/node/\
network/groups/"+i2,schemaPath:"#/properties/spec/properties/node/properties/network/properties/groups/items/type",keyword:"type",params:{type:"object"}};vErrors===
null?vErrors=[err148]:vErrors.push(err148),errors++}}}else{const err149={instancePath:instancePath+"/spec/node/network/groups",schemaPath:"#/properties/spec/pro\
perties/node/properties/network/properties/groups/type",keyword:"type",params:{type:"array"}};vErrors===null?vErrors=[err149]:vErrors.push(err149),errors++}}if(data36.
count!==void 0){let data47=data36.count;if(!(typeof data47=="number"&&!(data47%1)&&!isNaN(data47)&&isFinite(data47))){const err150={instancePath:instancePath+"/\
spec/node/network/count",schemaPath:"#/properties/spec/properties/node/properties/network/properties/count/type",keyword:"type",params:{type:"integer"}};vErrors===
null?vErrors=[err150]:vErrors.push(err150),errors++}if(typeof data47=="number"&&isFinite(data47)){if(data47>128||isNaN(data47)){const err151={instancePath:instancePath+
"/spec/node/network/count",schemaPath:"#/properties/spec/properties/node/properties/network/properties/count/maximum",keyword:"maximum",params:{comparison:"<=",
limit:128}};vErrors===null?vErrors=[err151]:vErrors.push(err151),errors++}if(data47<1||isNaN(data47)){const err152={instancePath:instancePath+"/spec/node/networ\
k/count",schemaPath:"#/properties/spec/properties/node/properties/network/properties/count/minimum",keyword:"minimum",params:{comparison:">=",limit:1}};vErrors===
null?vErrors=[err152]:vErrors.push(err152),errors++}}}}else{const err153={instancePath:instancePath+"/spec/node/network",schemaPath:"#/properties/spec/propertie\
s/node/properties/network/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err153]:vErrors.push(err153),errors++}}}else{const err154={instancePath:instancePath+
"/spec/node",schemaPath:"#/properties/spec/properties/node/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err154]:vErrors.push(err154),errors++}}
if(data4.zones!==void 0){let data48=data4.zones;if(Array.isArray(data48)){if(data48.length>256){const err155={instancePath:instancePath+"/spec/zones",schemaPath:"\
#/properties/spec/properties/zones/maxItems",keyword:"maxItems",params:{limit:256}};vErrors===null?vErrors=[err155]:vErrors.push(err155),errors++}if(data48.length<
0){const err156={instancePath:instancePath+"/spec/zones",schemaPath:"#/properties/spec/properties/zones/minItems",keyword:"minItems",params:{limit:0}};vErrors===
null?vErrors=[err156]:vErrors.push(err156),errors++}const len3=data48.length;for(let i3=0;i3<len3;i3++){let data49=data48[i3];if(typeof data49=="string"){if(data49.
length>63){const err157={instancePath:instancePath+"/spec/zones/"+i3,schemaPath:"#/properties/spec/properties/zones/items/maxLength",keyword:"maxLength",params:{
limit:63}};vErrors===null?vErrors=[err157]:vErrors.push(err157),errors++}if(!pattern12.test(data49)){const err158={instancePath:instancePath+"/spec/zones/"+i3,schemaPath:"\
#/properties/spec/properties/zones/items/pattern",keyword:"pattern",params:{pattern:"^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$"}};vErrors===null?vErrors=[err158]:
vErrors.push(err158),errors++}}else{const err159={instancePath:instancePath+"/spec/zones/"+i3,schemaPath:"#/properties/spec/properties/zones/items/type",keyword:"\
type",params:{type:"string"}};vErrors===null?vErrors=[err159]:vErrors.push(err159),errors++}}let i4=data48.length,j0;if(i4>1){const indices0={};for(;i4--;){let item0=data48[i4];
if(typeof item0=="string"){if(typeof indices0[item0]=="number"){j0=indices0[item0];const err160={instancePath:instancePath+"/spec/zones",schemaPath:"#/propertie\
s/spec/properties/zones/uniqueItems",keyword:"uniqueItems",params:{i:i4,j:j0}};vErrors===null?vErrors=[err160]:vErrors.push(err160),errors++;break}indices0[item0]=
i4}}}}else{const err161={instancePath:instancePath+"/spec/zones",schemaPath:"#/properties/spec/properties/zones/type",keyword:"type",params:{type:"array"}};vErrors===
null?vErrors=[err161]:vErrors.push(err161),errors++}}if(data4.members!==void 0){let data50=data4.members;if(data50&&typeof data50=="object"&&!Array.isArray(data50)){
for(const key24 in data50)if(!(key24==="matchLabels"||key24==="matchExpressions")){const err162={instancePath:instancePath+"/spec/members",schemaPath:"#/propert\
ies/spec/properties/members/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key24}};vErrors===null?vErrors=[err162]:vErrors.push(
err162),errors++}if(data50.matchLabels!==void 0){let data51=data50.matchLabels;if(data51&&typeof data51=="object"&&!Array.isArray(data51)){if(Object.keys(data51).
length>128){const err163={instancePath:instancePath+"/spec/members/matchLabels",schemaPath:"#/properties/spec/properties/members/properties/matchLabels/maxPrope\
rties",keyword:"maxProperties",params:{limit:128}};vErrors===null?vErrors=[err163]:vErrors.push(err163),errors++}for(const key25 in data51){const _errs133=errors;
if(typeof key25=="string"){if(key25.length>316){const err164={instancePath:instancePath+"/spec/members/matchLabels",schemaPath:"#/properties/spec/properties/mem\
bers/properties/matchLabels/propertyNames/maxLength",keyword:"maxLength",params:{limit:316},propertyName:key25};vErrors===null?vErrors=[err164]:vErrors.push(err164),
errors++}if(!pattern11.test(key25)){const err165={instancePath:instancePath+"/spec/members/matchLabels",schemaPath:"#/properties/spec/properties/members/propert\
ies/matchLabels/propertyNames/pattern",keyword:"pattern",params:{pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$"},propertyName:key25};
vErrors===null?vErrors=[err165]:vErrors.push(err165),errors++}}else{const err166={instancePath:instancePath+"/spec/members/matchLabels",schemaPath:"#/properties\
/spec/properties/members/properties/matchLabels/propertyNames/type",keyword:"type",params:{type:"string"},propertyName:key25};vErrors===null?vErrors=[err166]:vErrors.
push(err166),errors++}var valid34=_errs133===errors;if(!valid34){const err167={instancePath:instancePath+"/spec/members/matchLabels",schemaPath:"#/properties/sp\
ec/properties/members/properties/matchLabels/propertyNames",keyword:"propertyNames",params:{propertyName:key25}};vErrors===null?vErrors=[err167]:vErrors.push(err167),
errors++}}for(const key26 in data51){let data52=data51[key26];if(typeof data52=="string"){if(data52.length>63){const err168={instancePath:instancePath+"/spec/me\
mbers/matchLabels/"+key26.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties/members/properties/matchLabels/additionalProperties/ma\
xLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err168]:vErrors.push(err168),errors++}if(!pattern12.test(data52)){const err169={instancePath:instancePath+
"/spec/members/matchLabels/"+key26.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties/members/properties/matchLabels/additionalProp\
erties/pattern",keyword:"pattern",params:{pattern:"^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$"}};vErrors===null?vErrors=[err169]:vErrors.push(err169),errors++}}else{
const err170={instancePath:instancePath+"/spec/members/matchLabels/"+key26.replace(/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties/membe\
rs/properties/matchLabels/additionalProperties/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err170]:vErrors.push(err170),errors++}}}else{
const err171={instancePath:instancePath+"/spec/members/matchLabels",schemaPath:"#/properties/spec/properties/members/properties/matchLabels/type",keyword:"type",
params:{type:"object"}};vErrors===null?vErrors=[err171]:vErrors.push(err171),errors++}}if(data50.matchExpressions!==void 0){let data53=data50.matchExpressions;if(Array.
isArray(data53)){if(data53.length>64){const err172={instancePath:instancePath+"/spec/members/matchExpressions",schemaPath:"#/properties/spec/properties/members/\
properties/matchExpressions/maxItems",keyword:"maxItems",params:{limit:64}};vErrors===null?vErrors=[err172]:vErrors.push(err172),errors++}const len4=data53.length;
for(let i5=0;i5<len4;i5++){let data54=data53[i5];if(data54&&typeof data54=="object"&&!Array.isArray(data54)){if(data54.key===void 0){const err173={instancePath:instancePath+
"/spec/members/matchExpressions/"+i5,schemaPath:"#/properties/spec/properties/members/properties/matchExpressions/items/required",keyword:"required",params:{missingProperty:"\
key"}};vErrors===null?vErrors=[err173]:vErrors.push(err173),errors++}if(data54.operator===void 0){const err174={instancePath:instancePath+"/spec/members/matchEx\
pressions/"+i5,schemaPath:"#/properties/spec/properties/members/properties/matchExpressions/items/required",keyword:"required",params:{missingProperty:"operator"}};
vErrors===null?vErrors=[err174]:vErrors.push(err174),errors++}for(const key27 in data54)if(!(key27==="key"||key27==="operator"||key27==="values")){const err175={
instancePath:instancePath+"/spec/members/matchExpressions/"+i5,schemaPath:"#/properties/spec/properties/members/properties/matchExpressions/items/additionalProp\
erties",keyword:"additionalProperties",params:{additionalProperty:key27}};vErrors===null?vErrors=[err175]:vErrors.push(err175),errors++}if(data54.key!==void 0){
let data55=data54.key;if(typeof data55=="string"){if(data55.length>316){const err176={instancePath:instancePath+"/spec/members/matchExpressions/"+i5+"/key",schemaPath:"\
#/properties/spec/properties/members/properties/matchExpressions/items/properties/key/maxLength",keyword:"maxLength",params:{limit:316}};vErrors===null?vErrors=
[err176]:vErrors.push(err176),errors++}if(!pattern11.test(data55)){const err177={instancePath:instancePath+"/spec/members/matchExpressions/"+i5+"/key",schemaPath:"\
#/properties/spec/properties/members/properties/matchExpressions/items/properties/key/pattern",keyword:"pattern",params:{pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9]\
)?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$"}};vErrors===null?vErrors=[err177]:vErrors.push(err177),errors++}}else{const err178={instancePath:instancePath+"/\
spec/members/matchExpressions/"+i5+"/key",schemaPath:"#/properties/spec/properties/members/properties/matchExpressions/items/properties/key/type",keyword:"type",
params:{type:"string"}};vErrors===null?vErrors=[err178]:vErrors.push(err178),errors++}}if(data54.operator!==void 0){let data56=data54.operator;if(typeof data56!=
"string"){const err179={instancePath:instancePath+"/spec/members/matchExpressions/"+i5+"/operator",schemaPath:"#/properties/spec/properties/members/properties/m\
atchExpressions/items/properties/operator/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err179]:vErrors.push(err179),errors++}if(!(data56===
"In"||data56==="NotIn"||data56==="Exists"||data56==="DoesNotExist")){const err180={instancePath:instancePath+"/spec/members/matchExpressions/"+i5+"/operator",schemaPath:"\
#/properties/spec/properties/members/properties/matchExpressions/items/properties/operator/enum",keyword:"enum",params:{allowedValues:schema32.properties.spec.properties.
members.properties.matchExpressions.items.properties.operator.enum}};vErrors===null?vErrors=[err180]:vErrors.push(err180),errors++}}if(data54.values!==void 0){let data57=data54.
values;if(Array.isArray(data57)){if(data57.length>256){const err181={instancePath:instancePath+"/spec/members/matchExpressions/"+i5+"/values",schemaPath:"#/prop\
erties/spec/properties/members/properties/matchExpressions/items/properties/values/maxItems",keyword:"maxItems",params:{limit:256}};vErrors===null?vErrors=[err181]:
vErrors.push(err181),errors++}if(data57.length<0){const err182={instancePath:instancePath+"/spec/members/matchExpressions/"+i5+"/values",schemaPath:"#/propertie\
s/spec/properties/members/properties/matchExpressions/items/properties/values/minItems",keyword:"minItems",params:{limit:0}};vErrors===null?vErrors=[err182]:vErrors.
push(err182),errors++}const len5=data57.length;for(let i6=0;i6<len5;i6++){let data58=data57[i6];if(typeof data58=="string"){if(data58.length>63){const err183={instancePath:instancePath+
"/spec/members/matchExpressions/"+i5+"/values/"+i6,schemaPath:"#/properties/spec/properties/members/properties/matchExpressions/items/properties/values/items/ma\
xLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err183]:vErrors.push(err183),errors++}}else{const err184={instancePath:instancePath+"/sp\
ec/members/matchExpressions/"+i5+"/values/"+i6,schemaPath:"#/properties/spec/properties/members/properties/matchExpressions/items/properties/values/items/type",
keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err184]:vErrors.push(err184),errors++}}let i7=data57.length,j1;if(i7>1){const indices1={};for(;i7--;){
let item1=data57[i7];if(typeof item1=="string"){if(typeof indices1[item1]=="number"){j1=indices1[item1];const err185={instancePath:instancePath+"/spec/members/m\
atchExpressions/"+i5+"/values",schemaPath:"#/properties/spec/properties/members/properties/matchExpressions/items/properties/values/uniqueItems",keyword:"unique\
Items",params:{i:i7,j:j1}};vErrors===null?vErrors=[err185]:vErrors.push(err185),errors++;break}indices1[item1]=i7}}}}else{const err186={instancePath:instancePath+
"/spec/members/matchExpressions/"+i5+"/values",schemaPath:"#/properties/spec/properties/members/properties/matchExpressions/items/properties/values/type",keyword:"\
type",params:{type:"array"}};vErrors===null?vErrors=[err186]:vErrors.push(err186),errors++}}}else{const err187={instancePath:instancePath+"/spec/members/matchEx\
pressions/"+i5,schemaPath:"#/properties/spec/properties/members/properties/matchExpressions/items/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=
[err187]:vErrors.push(err187),errors++}}}else{const err188={instancePath:instancePath+"/spec/members/matchExpressions",schemaPath:"#/properties/spec/properties/\
members/properties/matchExpressions/type",keyword:"type",params:{type:"array"}};vErrors===null?vErrors=[err188]:vErrors.push(err188),errors++}}}else{const err189={
instancePath:instancePath+"/spec/members",schemaPath:"#/properties/spec/properties/members/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[
err189]:vErrors.push(err189),errors++}}if(data4.maxNodes!==void 0){let data59=data4.maxNodes;if(!(typeof data59=="number"&&!(data59%1)&&!isNaN(data59)&&isFinite(
data59))){const err190={instancePath:instancePath+"/spec/maxNodes",schemaPath:"#/properties/spec/properties/maxNodes/type",keyword:"type",params:{type:"integer"}};
vErrors===null?vErrors=[err190]:vErrors.push(err190),errors++}if(typeof data59=="number"&&isFinite(data59)){if(data59>1e6||isNaN(data59)){const err191={instancePath:instancePath+
"/spec/maxNodes",schemaPath:"#/properties/spec/properties/maxNodes/maximum",keyword:"maximum",params:{comparison:"<=",limit:1e6}};vErrors===null?vErrors=[err191]:
vErrors.push(err191),errors++}if(data59<0||isNaN(data59)){const err192={instancePath:instancePath+"/spec/maxNodes",schemaPath:"#/properties/spec/properties/maxN\
odes/minimum",keyword:"minimum",params:{comparison:">=",limit:0}};vErrors===null?vErrors=[err192]:vErrors.push(err192),errors++}}}if(data4.startup!==void 0){let data60=data4.
startup;if(typeof data60=="string"){if(data60.length>32){const err193={instancePath:instancePath+"/spec/startup",schemaPath:"#/properties/spec/properties/startu\
p/maxLength",keyword:"maxLength",params:{limit:32}};vErrors===null?vErrors=[err193]:vErrors.push(err193),errors++}if(!pattern3.test(data60)){const err194={instancePath:instancePath+
"/spec/startup",schemaPath:"#/properties/spec/properties/startup/pattern",keyword:"pattern",params:{pattern:"^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$"}};vErrors===null?
vErrors=[err194]:vErrors.push(err194),errors++}}else{const err195={instancePath:instancePath+"/spec/startup",schemaPath:"#/properties/spec/properties/startup/ty\
pe",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err195]:vErrors.push(err195),errors++}}if(data4.pricePerHour!==void 0){let data61=data4.pricePerHour;
if(typeof data61=="number"&&isFinite(data61)){if(data61<0||isNaN(data61)){const err196={instancePath:instancePath+"/spec/pricePerHour",schemaPath:"#/properties/\
spec/properties/pricePerHour/minimum",keyword:"minimum",params:{comparison:">=",limit:0}};vErrors===null?vErrors=[err196]:vErrors.push(err196),errors++}}else{const err197={
instancePath:instancePath+"/spec/pricePerHour",schemaPath:"#/properties/spec/properties/pricePerHour/type",keyword:"type",params:{type:"number"}};vErrors===null?
vErrors=[err197]:vErrors.push(err197),errors++}}if(data4.reservation!==void 0){let data62=data4.reservation;if(data62&&typeof data62=="object"&&!Array.isArray(data62)){
if(data62.name===void 0){const err198={instancePath:instancePath+"/spec/reservation",schemaPath:"#/properties/spec/properties/reservation/required",keyword:"req\
uired",params:{missingProperty:"name"}};vErrors===null?vErrors=[err198]:vErrors.push(err198),errors++}for(const key28 in data62)if(!(key28==="name"||key28==="la\
bel"||key28==="nodes"||key28==="start"||key28==="end"||key28==="reclaim")){const err199={instancePath:instancePath+"/spec/reservation",schemaPath:"#/properties/\
spec/properties/reservation/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key28}};vErrors===null?vErrors=[err199]:vErrors.push(
err199),errors++}if(data62.name!==void 0){let data63=data62.name;if(typeof data63=="string"){if(data63.length>253){const err200={instancePath:instancePath+"/spe\
c/reservation/name",schemaPath:"#/properties/spec/properties/reservation/properties/name/maxLength",keyword:"maxLength",params:{limit:253}};vErrors===null?vErrors=
[err200]:vErrors.push(err200),errors++}if(data63.length<1){const err201={instancePath:instancePath+"/spec/reservation/name",schemaPath:"#/properties/spec/proper\
ties/reservation/properties/name/minLength",keyword:"minLength",params:{limit:1}};vErrors===null?vErrors=[err201]:vErrors.push(err201),errors++}}else{const err202={
instancePath:instancePath+"/spec/reservation/name",schemaPath:"#/properties/spec/properties/reservation/properties/name/type",keyword:"type",params:{type:"strin\
g"}};vErrors===null?vErrors=[err202]:vErrors.push(err202),errors++}}if(data62.label!==void 0){let data64=data62.label;if(data64&&typeof data64=="object"&&!Array.
isArray(data64)){if(data64.key===void 0){const err203={instancePath:instancePath+"/spec/reservation/label",schemaPath:"#/properties/spec/properties/reservation/\
properties/label/required",keyword:"required",params:{missingProperty:"key"}};vErrors===null?vErrors=[err203]:vErrors.push(err203),errors++}if(data64.value===void 0){
const err204={instancePath:instancePath+"/spec/reservation/label",schemaPath:"#/properties/spec/properties/reservation/properties/label/required",keyword:"requi\
red",params:{missingProperty:"value"}};vErrors===null?vErrors=[err204]:vErrors.push(err204),errors++}for(const key29 in data64)if(!(key29==="key"||key29==="valu\
e")){const err205={instancePath:instancePath+"/spec/reservation/label",schemaPath:"#/properties/spec/properties/reservation/properties/label/additionalPropertie\
s",keyword:"additionalProperties",params:{additionalProperty:key29}};vErrors===null?vErrors=[err205]:vErrors.push(err205),errors++}if(data64.key!==void 0){let data65=data64.
key;if(typeof data65=="string"){if(data65.length>316){const err206={instancePath:instancePath+"/spec/reservation/label/key",schemaPath:"#/properties/spec/proper\
ties/reservation/properties/label/properties/key/maxLength",keyword:"maxLength",params:{limit:316}};vErrors===null?vErrors=[err206]:vErrors.push(err206),errors++}
if(!pattern11.test(data65)){const err207={instancePath:instancePath+"/spec/reservation/label/key",schemaPath:"#/properties/spec/properties/reservation/propertie\
s/label/properties/key/pattern",keyword:"pattern",params:{pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$"}};vErrors===null?
vErrors=[err207]:vErrors.push(err207),errors++}}else{const err208={instancePath:instancePath+"/spec/reservation/label/key",schemaPath:"#/properties/spec/propert\
ies/reservation/properties/label/properties/key/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err208]:vErrors.push(err208),errors++}}if(data64.
value!==void 0){let data66=data64.value;if(typeof data66=="string"){if(data66.length>63){const err209={instancePath:instancePath+"/spec/reservation/label/value",
schemaPath:"#/properties/spec/properties/reservation/properties/label/properties/value/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=
[err209]:vErrors.push(err209),errors++}if(!pattern12.test(data66)){const err210={instancePath:instancePath+"/spec/reservation/label/value",schemaPath:"#/propert\
ies/spec/properties/reservation/properties/label/properties/value/pattern",keyword:"pattern",params:{pattern:"^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$"}};vErrors===
null?vErrors=[err210]:vErrors.push(err210),errors++}}else{const err211={instancePath:instancePath+"/spec/reservation/label/value",schemaPath:"#/properties/spec/\
properties/reservation/properties/label/properties/value/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err211]:vErrors.push(err211),errors++}}}else{
const err212={instancePath:instancePath+"/spec/reservation/label",schemaPath:"#/properties/spec/properties/reservation/properties/label/type",keyword:"type",params:{
type:"object"}};vErrors===null?vErrors=[err212]:vErrors.push(err212),errors++}}if(data62.nodes!==void 0){let data67=data62.nodes;if(!(typeof data67=="number"&&!(data67%
1)&&!isNaN(data67)&&isFinite(data67))){const err213={instancePath:instancePath+"/spec/reservation/nodes",schemaPath:"#/properties/spec/properties/reservation/pr\
operties/nodes/type",keyword:"type",params:{type:"integer"}};vErrors===null?vErrors=[err213]:vErrors.push(err213),errors++}if(typeof data67=="number"&&isFinite(
data67)){if(data67>1e6||isNaN(data67)){const err214={instancePath:instancePath+"/spec/reservation/nodes",schemaPath:"#/properties/spec/properties/reservation/pr\
operties/nodes/maximum",keyword:"maximum",params:{comparison:"<=",limit:1e6}};vErrors===null?vErrors=[err214]:vErrors.push(err214),errors++}if(data67<0||isNaN(data67)){
const err215={instancePath:instancePath+"/spec/reservation/nodes",schemaPath:"#/properties/spec/properties/reservation/properties/nodes/minimum",keyword:"minimu\
m",params:{comparison:">=",limit:0}};vErrors===null?vErrors=[err215]:vErrors.push(err215),errors++}}}if(data62.start!==void 0){let data68=data62.start;if(typeof data68==
"string"){if(data68.length>40){const err216={instancePath:instancePath+"/spec/reservation/start",schemaPath:"#/properties/spec/properties/reservation/properties\
/start/maxLength",keyword:"maxLength",params:{limit:40}};vErrors===null?vErrors=[err216]:vErrors.push(err216),errors++}if(!pattern60.test(data68)){const err217={
instancePath:instancePath+"/spec/reservation/start",schemaPath:"#/properties/spec/properties/reservation/properties/start/pattern",keyword:"pattern",params:{pattern:"\
^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$"}};vErrors===null?vErrors=[err217]:vErrors.push(err217),errors++}}else{
const err218={instancePath:instancePath+"/spec/reservation/start",schemaPath:"#/properties/spec/properties/reservation/properties/start/type",keyword:"type",params:{
type:"string"}};vErrors===null?vErrors=[err218]:vErrors.push(err218),errors++}}if(data62.end!==void 0){let data69=data62.end;if(typeof data69=="string"){if(data69.
length>40){const err219={instancePath:instancePath+"/spec/reservation/end",schemaPath:"#/properties/spec/properties/reservation/properties/end/maxLength",keyword:"\
maxLength",params:{limit:40}};vErrors===null?vErrors=[err219]:vErrors.push(err219),errors++}if(!pattern60.test(data69)){const err220={instancePath:instancePath+
"/spec/reservation/end",schemaPath:"#/properties/spec/properties/reservation/properties/end/pattern",keyword:"pattern",params:{pattern:"^[0-9]{4}-[0-9]{2}-[0-9]\
{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$"}};vErrors===null?vErrors=[err220]:vErrors.push(err220),errors++}}else{const err221={instancePath:instancePath+
"/spec/reservation/end",schemaPath:"#/properties/spec/properties/reservation/properties/end/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=
[err221]:vErrors.push(err221),errors++}}if(data62.reclaim!==void 0){let data70=data62.reclaim;if(typeof data70=="string"){if(data70.length>32){const err222={instancePath:instancePath+
"/spec/reservation/reclaim",schemaPath:"#/properties/spec/properties/reservation/properties/reclaim/maxLength",keyword:"maxLength",params:{limit:32}};vErrors===
null?vErrors=[err222]:vErrors.push(err222),errors++}if(!pattern3.test(data70)){const err223={instancePath:instancePath+"/spec/reservation/reclaim",schemaPath:"#\
/properties/spec/properties/reservation/properties/reclaim/pattern",keyword:"pattern",params:{pattern:"^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$"}};vErrors===null?vErrors=
[err223]:vErrors.push(err223),errors++}}else{const err224={instancePath:instancePath+"/spec/reservation/reclaim",schemaPath:"#/properties/spec/properties/reserv\
ation/properties/reclaim/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err224]:vErrors.push(err224),errors++}}}else{const err225={instancePath:instancePath+
"/spec/reservation",schemaPath:"#/properties/spec/properties/reservation/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err225]:vErrors.push(
err225),errors++}}if(data4.together!==void 0){let data71=data4.together;if(Array.isArray(data71)){if(data71.length>256){const err226={instancePath:instancePath+
"/spec/together",schemaPath:"#/properties/spec/properties/together/maxItems",keyword:"maxItems",params:{limit:256}};vErrors===null?vErrors=[err226]:vErrors.push(
err226),errors++}if(data71.length<0){const err227={instancePath:instancePath+"/spec/together",schemaPath:"#/properties/spec/properties/together/minItems",keyword:"\
minItems",params:{limit:0}};vErrors===null?vErrors=[err227]:vErrors.push(err227),errors++}const len6=data71.length;for(let i8=0;i8<len6;i8++){let data72=data71[i8];
if(typeof data72=="string"){if(data72.length>63){const err228={instancePath:instancePath+"/spec/together/"+i8,schemaPath:"#/properties/spec/properties/together/\
items/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err228]:vErrors.push(err228),errors++}if(!pattern10.test(data72)){const err229={
instancePath:instancePath+"/spec/together/"+i8,schemaPath:"#/properties/spec/properties/together/items/pattern",keyword:"pattern",params:{pattern:"^[a-z0-9]([-a\
-z0-9]*[a-z0-9])?$"}};vErrors===null?vErrors=[err229]:vErrors.push(err229),errors++}}else{const err230={instancePath:instancePath+"/spec/together/"+i8,schemaPath:"\
#/properties/spec/properties/together/items/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err230]:vErrors.push(err230),errors++}}let i9=data71.
length,j2;if(i9>1){const indices2={};for(;i9--;){let item2=data71[i9];if(typeof item2=="string"){if(typeof indices2[item2]=="number"){j2=indices2[item2];const err231={
instancePath:instancePath+"/spec/together",schemaPath:"#/properties/spec/properties/together/uniqueItems",keyword:"uniqueItems",params:{i:i9,j:j2}};vErrors===null?
vErrors=[err231]:vErrors.push(err231),errors++;break}indices2[item2]=i9}}}}else{const err232={instancePath:instancePath+"/spec/together",schemaPath:"#/propertie\
s/spec/properties/together/type",keyword:"type",params:{type:"array"}};vErrors===null?vErrors=[err232]:vErrors.push(err232),errors++}}}else{const err233={instancePath:instancePath+
"/spec",schemaPath:"#/properties/spec/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err233]:vErrors.push(err233),errors++}}}else{const err234={
instancePath,schemaPath:"#/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err234]:vErrors.push(err234),errors++}return validate86.errors=vErrors,
errors===0}validate86.evaluated={props:!0,dynamicProps:!1,dynamicItems:!1};const TopologyLayout=validate87,schema33={$id:"https://plimsoll.dev/v1alpha1/Topology\
Layout.json",type:"object",properties:{apiVersion:{const:"plimsoll.dev/v1alpha1"},kind:{const:"TopologyLayout"},metadata:{type:"object",properties:{name:{type:"\
string",pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",maxLength:63}},required:["name"],additionalProperties:!1},spec:{type:"object",properties:{description:{type:"s\
tring",minLength:1,maxLength:1e3},levels:{type:"array",minItems:1,maxItems:16,items:{type:"object",properties:{name:{type:"string",pattern:"^[a-z0-9]([-a-z0-9]*\
[a-z0-9])?$",maxLength:63},key:{type:"string",pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$",maxLength:316}},required:["\
name","key"],additionalProperties:!1}}},required:["levels"],additionalProperties:!1}},required:["apiVersion","kind","metadata","spec"],additionalProperties:!1};
function validate87(data,{instancePath="",parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){let vErrors=null,errors=0;const evaluated0=validate87.
evaluated;if(evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.dynamicItems&&(evaluated0.items=void 0),data&&typeof data=="object"&&!Array.isArray(data)){
if(data.apiVersion===void 0){const err0={instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty:"apiVersion"}};vErrors===null?vErrors=[
err0]:vErrors.push(err0),errors++}if(data.kind===void 0){const err1={instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty:"kind"}};vErrors===
null?vErrors=[err1]:vErrors.push(err1),errors++}if(data.metadata===void 0){const err2={instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty:"\
metadata"}};vErrors===null?vErrors=[err2]:vErrors.push(err2),errors++}if(data.spec===void 0){const err3={instancePath,schemaPath:"#/required",keyword:"required",
params:{missingProperty:"spec"}};vErrors===null?vErrors=[err3]:vErrors.push(err3),errors++}for(const key0 in data)if(!(key0==="apiVersion"||key0==="kind"||key0===
"metadata"||key0==="spec")){const err4={instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key0}};vErrors===
null?vErrors=[err4]:vErrors.push(err4),errors++}if(data.apiVersion!==void 0&&data.apiVersion!=="plimsoll.dev/v1alpha1"){const err5={instancePath:instancePath+"/\
apiVersion",schemaPath:"#/properties/apiVersion/const",keyword:"const",params:{allowedValue:"plimsoll.dev/v1alpha1"}};vErrors===null?vErrors=[err5]:vErrors.push(
err5),errors++}if(data.kind!==void 0&&data.kind!=="TopologyLayout"){const err6={instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/const",keyword:"\
const",params:{allowedValue:"TopologyLayout"}};vErrors===null?vErrors=[err6]:vErrors.push(err6),errors++}if(data.metadata!==void 0){let data2=data.metadata;if(data2&&
typeof data2=="object"&&!Array.isArray(data2)){if(data2.name===void 0){const err7={instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/requi\
red",keyword:"required",params:{missingProperty:"name"}};vErrors===null?vErrors=[err7]:vErrors.push(err7),errors++}for(const key1 in data2)if(key1!=="name"){const err8={
instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key1}};vErrors===
null?vErrors=[err8]:vErrors.push(err8),errors++}if(data2.name!==void 0){let data3=data2.name;if(typeof data3=="string"){if(data3.length>63){const err9={instancePath:instancePath+
"/metadata/name",schemaPath:"#/properties/metadata/properties/name/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err9]:vErrors.push(
err9),errors++}if(!pattern10.test(data3)){const err10={instancePath:instancePath+"/metadata/name",schemaPath:"#/properties/metadata/properties/name/pattern",keyword:"\
pattern",params:{pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}};vErrors===null?vErrors=[err10]:vErrors.push(err10),errors++}}else{const err11={instancePath:instancePath+
"/metadata/name",schemaPath:"#/properties/metadata/properties/name/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err11]:vErrors.push(err11),
errors++}}}else{const err12={instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/type",keyword:"type",params:{type:"object"}};vErrors===null?
vErrors=[err12]:vErrors.push(err12),errors++}}if(data.spec!==void 0){let data4=data.spec;if(data4&&typeof data4=="object"&&!Array.isArray(data4)){if(data4.levels===
void 0){const err13={instancePath:instancePath+"/spec",schemaPath:"#/properties/spec/required",keyword:"required",params:{missingProperty:"levels"}};vErrors===null?
vErrors=[err13]:vErrors.push(err13),errors++}for(const key2 in data4)if(!(key2==="description"||key2==="levels")){const err14={instancePath:instancePath+"/spec",
schemaPath:"#/properties/spec/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key2}};vErrors===null?vErrors=[err14]:vErrors.push(
err14),errors++}if(data4.description!==void 0){let data5=data4.description;if(typeof data5=="string"){if(data5.length>1e3){const err15={instancePath:instancePath+
"/spec/description",schemaPath:"#/properties/spec/properties/description/maxLength",keyword:"maxLength",params:{limit:1e3}};vErrors===null?vErrors=[err15]:vErrors.
push(err15),errors++}if(data5.length<1){const err16={instancePath:instancePath+"/spec/description",schemaPath:"#/properties/spec/properties/description/minLengt\
h",keyword:"minLength",params:{limit:1}};vErrors===null?vErrors=[err16]:vErrors.push(err16),errors++}}else{const err17={instancePath:instancePath+"/spec/descrip\
tion",schemaPath:"#/properties/spec/properties/description/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err17]:vErrors.push(err17),errors++}}
if(data4.levels!==void 0){let data6=data4.levels;if(Array.isArray(data6)){if(data6.length>16){const err18={instancePath:instancePath+"/spec/levels",schemaPath:"\
#/properties/spec/properties/levels/maxItems",keyword:"maxItems",params:{limit:16}};vErrors===null?vErrors=[err18]:vErrors.push(err18),errors++}if(data6.length<
1){const err19={instancePath:instancePath+"/spec/levels",schemaPath:"#/properties/spec/properties/levels/minItems",keyword:"minItems",params:{limit:1}};vErrors===
null?vErrors=[err19]:vErrors.push(err19),errors++}const len0=data6.length;for(let i0=0;i0<len0;i0++){let data7=data6[i0];if(data7&&typeof data7=="object"&&!Array.
isArray(data7)){if(data7.name===void 0){const err20={instancePath:instancePath+"/spec/levels/"+i0,schemaPath:"#/properties/spec/properties/levels/items/required",
keyword:"required",params:{missingProperty:"name"}};vErrors===null?vErrors=[err20]:vErrors.push(err20),errors++}if(data7.key===void 0){const err21={instancePath:instancePath+
"/spec/levels/"+i0,schemaPath:"#/properties/spec/properties/levels/items/required",keyword:"required",params:{missingProperty:"key"}};vErrors===null?vErrors=[err21]:
vErrors.push(err21),errors++}for(const key3 in data7)if(!(key3==="name"||key3==="key")){const err22={instancePath:instancePath+"/spec/levels/"+i0,schemaPath:"#/\
properties/spec/properties/levels/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key3}};vErrors===null?vErrors=[err22]:vErrors.
push(err22),errors++}if(data7.name!==void 0){let data8=data7.name;if(typeof data8=="string"){if(data8.length>63){const err23={instancePath:instancePath+"/spec/l\
evels/"+i0+"/name",schemaPath:"#/properties/spec/properties/levels/items/properties/name/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=
[err23]:vErrors.push(err23),errors++}if(!pattern10.test(data8)){const err24={instancePath:instancePath+"/spec/levels/"+i0+"/name",schemaPath:"#/properties/spec/\
properties/levels/items/properties/name/pattern",keyword:"pattern",params:{pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}};vErrors===null?vErrors=[err24]:vErrors.push(
err24),errors++}}else{const err25={instancePath:instancePath+"/spec/levels/"+i0+"/name",schemaPath:"#/properties/spec/properties/levels/items/properties/name/ty\
pe",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err25]:vErrors.push(err25),errors++}}if(data7.key!==void 0){let data9=data7.key;if(typeof data9==
"string"){if(data9.length>316){const err26={instancePath:instancePath+"/spec/levels/"+i0+"/key",schemaPath:"#/properties/spec/properties/levels/items/properties\
/key/maxLength",keyword:"maxLength",params:{limit:316}};vErrors===null?vErrors=[err26]:vErrors.push(err26),errors++}if(!pattern11.test(data9)){const err27={instancePath:instancePath+
"/spec/levels/"+i0+"/key",schemaPath:"#/properties/spec/properties/levels/items/properties/key/pattern",keyword:"pattern",params:{pattern:"^([a-z0-9]([-a-z0-9.]\
*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$"}};vErrors===null?vErrors=[err27]:vErrors.push(err27),errors++}}else{const err28={instancePath:instancePath+
"/spec/levels/"+i0+"/key",schemaPath:"#/properties/spec/properties/levels/items/properties/key/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=
[err28]:vErrors.push(err28),errors++}}}else{const err29={instancePath:instancePath+"/spec/levels/"+i0,schemaPath:"#/properties/spec/properties/levels/items/type",
keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err29]:vErrors.push(err29),errors++}}}else{const err30={instancePath:instancePath+"/spec/levels",
schemaPath:"#/properties/spec/properties/levels/type",keyword:"type",params:{type:"array"}};vErrors===null?vErrors=[err30]:vErrors.push(err30),errors++}}}else{const err31={
instancePath:instancePath+"/spec",schemaPath:"#/properties/spec/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err31]:vErrors.push(err31),
errors++}}}else{const err32={instancePath,schemaPath:"#/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err32]:vErrors.push(err32),errors++}
return validate87.errors=vErrors,errors===0}validate87.evaluated={props:!0,dynamicProps:!1,dynamicItems:!1};const Platform=validate88,schema34={$id:"https://pli\
msoll.dev/v1alpha1/Platform.json",type:"object",properties:{apiVersion:{const:"plimsoll.dev/v1alpha1"},kind:{const:"Platform"},metadata:{type:"object",properties:{
name:{type:"string",pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",maxLength:63}},required:["name"],additionalProperties:!1},spec:{type:"object",properties:{kubernetes:{
type:"object",properties:{version:{type:"string",pattern:"^v?[0-9]{1,5}\\.[0-9]{1,5}(\\.[0-9]{1,5})?([-+].*)?$",maxLength:64},featureGates:{type:"object",propertyNames:{
type:"string",pattern:"^[A-Z][A-Za-z0-9]*$",maxLength:128},additionalProperties:{type:"boolean"},maxProperties:64}},required:["version"],additionalProperties:!1},
autoscaler:{type:"object",properties:{kind:{type:"string",enum:["none","cluster-autoscaler","karpenter","gke","eks-auto","aks"]},version:{type:"string",pattern:"\
^v?[0-9]{1,5}\\.[0-9]{1,5}(\\.[0-9]{1,5})?([-+].*)?$",maxLength:64},provisioningRequests:{type:"boolean"},claims:{type:"boolean"},maxGracePeriod:{type:"string",
pattern:"^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$",maxLength:32}},required:["kind"],additionalProperties:!1},scheduler:{type:"object",properties:{scoring:{type:"string",
enum:["LeastAllocated","MostAllocated"]},profiles:{type:"array",items:{type:"string",minLength:1,maxLength:253},minItems:1,maxItems:256,uniqueItems:!0},numaAware:{
type:"array",items:{type:"string",minLength:1,maxLength:253},minItems:1,maxItems:256,uniqueItems:!0}},additionalProperties:!1},network:{type:"object",properties:{
driver:{type:"string",pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",maxLength:63},deviceClassName:{type:"string",pattern:"^[a-z0-\
9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",maxLength:253},selectors:{type:"array",items:{type:"string",minLength:1,maxLength:10240},minItems:1,
maxItems:256,uniqueItems:!0},alignment:{type:"object",properties:{numa:{type:"string",pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-\
Za-z0-9])?$",maxLength:316},pcie:{type:"string",pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$",maxLength:316}},additionalProperties:!1}},
required:["driver","deviceClassName"],additionalProperties:!1},kueue:{type:"object",properties:{version:{type:"string",pattern:"^v?[0-9]{1,5}\\.[0-9]{1,5}(\\.[0-9\
]{1,5})?([-+].*)?$",maxLength:64}},required:["version"],additionalProperties:!1},dialect:{anyOf:[{type:"string",enum:["gke","eks","eks-auto","karpenter-aws","ak\
s","gfd"]},{type:"object",properties:{acceleratorKeys:{type:"array",items:{type:"string",pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*\
[A-Za-z0-9])?$",maxLength:316},minItems:1,maxItems:256,uniqueItems:!0},capacityTypes:{type:"object",properties:{reserved:{type:"object",properties:{selection:{type:"\
object",properties:{key:{type:"string",pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$",maxLength:316},operator:{type:"str\
ing",enum:["In","NotIn","Exists","DoesNotExist"]},values:{type:"array",items:{type:"string",pattern:"^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$",maxLength:63},
minItems:0,maxItems:256,uniqueItems:!0}},required:["key"],additionalProperties:!1},tolerations:{type:"array",maxItems:32,items:{type:"object",properties:{key:{type:"\
string",pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$",maxLength:316},operator:{type:"string",enum:["Exists","Equal"]},value:{
type:"string",pattern:"^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$",maxLength:63},effect:{type:"string",enum:["NoSchedule","PreferNoSchedule","NoExecute"]}},required:[
"key"],additionalProperties:!1}}},additionalProperties:!1},"on-demand":{type:"object",properties:{selection:{type:"object",properties:{key:{type:"string",pattern:"\
^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$",maxLength:316},operator:{type:"string",enum:["In","NotIn","Exists","DoesNotExist"]},
values:{type:"array",items:{type:"string",pattern:"^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$",maxLength:63},minItems:0,maxItems:256,uniqueItems:!0}},required:[
"key"],additionalProperties:!1},tolerations:{type:"array",maxItems:32,items:{type:"object",properties:{key:{type:"string",pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9\
])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$",maxLength:316},operator:{type:"string",enum:["Exists","Equal"]},value:{type:"string",pattern:"^([A-Za-z0-9]([-A\
-Za-z0-9_.]*[A-Za-z0-9])?)?$",maxLength:63},effect:{type:"string",enum:["NoSchedule","PreferNoSchedule","NoExecute"]}},required:["key"],additionalProperties:!1}}},
additionalProperties:!1},spot:{type:"object",properties:{selection:{type:"object",properties:{key:{type:"string",pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-\
Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$",maxLength:316},operator:{type:"string",enum:["In","NotIn","Exists","DoesNotExist"]},values:{type:"array",items:{type:"st\
ring",pattern:"^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$",maxLength:63},minItems:0,maxItems:256,uniqueItems:!0}},required:["key"],additionalProperties:!1},tolerations:{
type:"array",maxItems:32,items:{type:"object",properties:{key:{type:"string",pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])\
?$",maxLength:316},operator:{type:"string",enum:["Exists","Equal"]},value:{type:"string",pattern:"^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$",maxLength:63},effect:{
type:"string",enum:["NoSchedule","PreferNoSchedule","NoExecute"]}},required:["key"],additionalProperties:!1}}},additionalProperties:!1}},additionalProperties:!1},
acceleratorTolerations:{type:"array",maxItems:32,items:{type:"object",properties:{key:{type:"string",pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A\
-Za-z0-9_.]*[A-Za-z0-9])?$",maxLength:316},operator:{type:"string",enum:["Exists","Equal"]},value:{type:"string",pattern:"^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-\
9])?)?$",maxLength:63},effect:{type:"string",enum:["NoSchedule","PreferNoSchedule","NoExecute"]}},required:["key"],additionalProperties:!1}}},required:["acceler\
atorKeys","capacityTypes"],additionalProperties:!1}]},layout:{type:"string",pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",maxLength:63},companions:{type:"object",properties:{
resourceClaimTemplates:{type:"boolean"},podDisruptionBudgets:{type:"boolean"},podTemplates:{type:"boolean"},provisioningRequests:{type:"boolean"},podGroups:{type:"\
boolean"}},additionalProperties:!1},supply:{type:"object",properties:{nodes:{type:"string",enum:["complete","partial"]},pools:{type:"string",enum:["complete","p\
artial"]}},additionalProperties:!1},reclaimNotice:{type:"object",properties:{reserved:{type:"string",pattern:"^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$",maxLength:32},"\
on-demand":{type:"string",pattern:"^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$",maxLength:32},spot:{type:"string",pattern:"^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$",maxLength:32}},
additionalProperties:!1}},required:["kubernetes","dialect","layout"],additionalProperties:!1}},required:["apiVersion","kind","metadata","spec"],additionalProperties:!1},
pattern68=new RegExp("^v?[0-9]{1,5}\\.[0-9]{1,5}(\\.[0-9]{1,5})?([-+].*)?$","u"),pattern69=new RegExp("^[A-Z][A-Za-z0-9]*$","u");function validate88(data,{instancePath="",
parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){let vErrors=null,errors=0;const evaluated0=validate88.evaluated;if(evaluated0.dynamicProps&&(evaluated0.
props=void 0),evaluated0.dynamicItems&&(evaluated0.items=void 0),data&&typeof data=="object"&&!Array.isArray(data)){if(data.apiVersion===void 0){const err0={instancePath,
schemaPath:"#/required",keyword:"required",params:{missingProperty:"apiVersion"}};vErrors===null?vErrors=[err0]:vErrors.push(err0),errors++}if(data.kind===void 0){
const err1={instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty:"kind"}};vErrors===null?vErrors=[err1]:vErrors.push(err1),errors++}if(data.
metadata===void 0){const err2={instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty:"metadata"}};vErrors===null?vErrors=[err2]:vErrors.
push(err2),errors++}if(data.spec===void 0){const err3={instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty:"spec"}};vErrors===null?vErrors=
[err3]:vErrors.push(err3),errors++}for(const key0 in data)if(!(key0==="apiVersion"||key0==="kind"||key0==="metadata"||key0==="spec")){const err4={instancePath,schemaPath:"\
#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key0}};vErrors===null?vErrors=[err4]:vErrors.push(err4),errors++}if(data.apiVersion!==
void 0&&data.apiVersion!=="plimsoll.dev/v1alpha1"){const err5={instancePath:instancePath+"/apiVersion",schemaPath:"#/properties/apiVersion/const",keyword:"const",
params:{allowedValue:"plimsoll.dev/v1alpha1"}};vErrors===null?vErrors=[err5]:vErrors.push(err5),errors++}if(data.kind!==void 0&&data.kind!=="Platform"){const err6={
instancePath:instancePath+"/kind",schemaPath:"#/properties/kind/const",keyword:"const",params:{allowedValue:"Platform"}};vErrors===null?vErrors=[err6]:vErrors.push(
err6),errors++}if(data.metadata!==void 0){let data2=data.metadata;if(data2&&typeof data2=="object"&&!Array.isArray(data2)){if(data2.name===void 0){const err7={instancePath:instancePath+
"/metadata",schemaPath:"#/properties/metadata/required",keyword:"required",params:{missingProperty:"name"}};vErrors===null?vErrors=[err7]:vErrors.push(err7),errors++}
for(const key1 in data2)if(key1!=="name"){const err8={instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/additionalProperties",keyword:"add\
itionalProperties",params:{additionalProperty:key1}};vErrors===null?vErrors=[err8]:vErrors.push(err8),errors++}if(data2.name!==void 0){let data3=data2.name;if(typeof data3==
"string"){if(data3.length>63){const err9={instancePath:instancePath+"/metadata/name",schemaPath:"#/properties/metadata/properties/name/maxLength",keyword:"maxLe\
ngth",params:{limit:63}};vErrors===null?vErrors=[err9]:vErrors.push(err9),errors++}if(!pattern10.test(data3)){const err10={instancePath:instancePath+"/metadata/\
name",schemaPath:"#/properties/metadata/properties/name/pattern",keyword:"pattern",params:{pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}};vErrors===null?vErrors=[err10]:
vErrors.push(err10),errors++}}else{const err11={instancePath:instancePath+"/metadata/name",schemaPath:"#/properties/metadata/properties/name/type",keyword:"type",
params:{type:"string"}};vErrors===null?vErrors=[err11]:vErrors.push(err11),errors++}}}else{const err12={instancePath:instancePath+"/metadata",schemaPath:"#/prop\
erties/metadata/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err12]:vErrors.push(err12),errors++}}if(data.spec!==void 0){let data4=data.
spec;if(data4&&typeof data4=="object"&&!Array.isArray(data4)){if(data4.kubernetes===void 0){const err13={instancePath:instancePath+"/spec",schemaPath:"#/propert\
ies/spec/required",keyword:"required",params:{missingProperty:"kubernetes"}};vErrors===null?vErrors=[err13]:vErrors.push(err13),errors++}if(data4.dialect===void 0){
const err14={instancePath:instancePath+"/spec",schemaPath:"#/properties/spec/required",keyword:"required",params:{missingProperty:"dialect"}};vErrors===null?vErrors=
[err14]:vErrors.push(err14),errors++}if(data4.layout===void 0){const err15={instancePath:instancePath+"/spec",schemaPath:"#/properties/spec/required",keyword:"r\
equired",params:{missingProperty:"layout"}};vErrors===null?vErrors=[err15]:vErrors.push(err15),errors++}for(const key2 in data4)if(!func1.call(schema34.properties.
spec.properties,key2)){const err16={instancePath:instancePath+"/spec",schemaPath:"#/properties/spec/additionalProperties",keyword:"additionalProperties",params:{
additionalProperty:key2}};vErrors===null?vErrors=[err16]:vErrors.push(err16),errors++}if(data4.kubernetes!==void 0){let data5=data4.kubernetes;if(data5&&typeof data5==
"object"&&!Array.isArray(data5)){if(data5.version===void 0){const err17={instancePath:instancePath+"/spec/kubernetes",schemaPath:"#/properties/spec/properties/k\
ubernetes/required",keyword:"required",params:{missingProperty:"version"}};vErrors===null?vErrors=[err17]:vErrors.push(err17),errors++}for(const key3 in data5)if(!(key3===
"version"||key3==="featureGates")){const err18={instancePath:instancePath+"/spec/kubernetes",schemaPath:"#/properties/spec/properties/kubernetes/additionalPrope\
rties",keyword:"additionalProperties",params:{additionalProperty:key3}};vErrors===null?vErrors=[err18]:vErrors.push(err18),errors++}if(data5.version!==void 0){let data6=data5.
version;if(typeof data6=="string"){if(data6.length>64){const err19={instancePath:instancePath+"/spec/kubernetes/version",schemaPath:"#/properties/spec/propertie\
s/kubernetes/properties/version/maxLength",keyword:"maxLength",params:{limit:64}};vErrors===null?vErrors=[err19]:vErrors.push(err19),errors++}if(!pattern68.test(
data6)){const err20={instancePath:instancePath+"/spec/kubernetes/version",schemaPath:"#/properties/spec/properties/kubernetes/properties/version/pattern",keyword:"\
pattern",params:{pattern:"^v?[0-9]{1,5}\\.[0-9]{1,5}(\\.[0-9]{1,5})?([-+].*)?$"}};vErrors===null?vErrors=[err20]:vErrors.push(err20),errors++}}else{const err21={
instancePath:instancePath+"/spec/kubernetes/version",schemaPath:"#/properties/spec/properties/kubernetes/properties/version/type",keyword:"type",params:{type:"s\
tring"}};vErrors===null?vErrors=[err21]:vErrors.push(err21),errors++}}if(data5.featureGates!==void 0){let data7=data5.featureGates;if(data7&&typeof data7=="obje\
ct"&&!Array.isArray(data7)){if(Object.keys(data7).length>64){const err22={instancePath:instancePath+"/spec/kubernetes/featureGates",schemaPath:"#/properties/spe\
c/properties/kubernetes/properties/featureGates/maxProperties",keyword:"maxProperties",params:{limit:64}};vErrors===null?vErrors=[err22]:vErrors.push(err22),errors++}
for(const key4 in data7){const _errs19=errors;if(typeof key4=="string"){if(key4.length>128){const err23={instancePath:instancePath+"/spec/kubernetes/featureGate\
s",schemaPath:"#/properties/spec/properties/kubernetes/properties/featureGates/propertyNames/maxLength",keyword:"maxLength",params:{limit:128},propertyName:key4};
vErrors===null?vErrors=[err23]:vErrors.push(err23),errors++}if(!pattern69.test(key4)){const err24={instancePath:instancePath+"/spec/kubernetes/featureGates",schemaPath:"\
#/properties/spec/properties/kubernetes/properties/featureGates/propertyNames/pattern",keyword:"pattern",params:{pattern:"^[A-Z][A-Za-z0-9]*$"},propertyName:key4};
vErrors===null?vErrors=[err24]:vErrors.push(err24),errors++}}else{const err25={instancePath:instancePath+"/spec/kubernetes/featureGates",schemaPath:"#/propertie\
s/spec/properties/kubernetes/properties/featureGates/propertyNames/type",keyword:"type",params:{type:"string"},propertyName:key4};vErrors===null?vErrors=[err25]:
vErrors.push(err25),errors++}var valid4=_errs19===errors;if(!valid4){const err26={instancePath:instancePath+"/spec/kubernetes/featureGates",schemaPath:"#/proper\
ties/spec/properties/kubernetes/properties/featureGates/propertyNames",keyword:"propertyNames",params:{propertyName:key4}};vErrors===null?vErrors=[err26]:vErrors.
push(err26),errors++}}for(const key5 in data7)if(typeof data7[key5]!="boolean"){const err27={instancePath:instancePath+"/spec/kubernetes/featureGates/"+key5.replace(
/~/g,"~0").replace(/\//g,"~1"),schemaPath:"#/properties/spec/properties/kubernetes/properties/featureGates/additionalProperties/type",keyword:"type",params:{type:"\
boolean"}};vErrors===null?vErrors=[err27]:vErrors.push(err27),errors++}}else{const err28={instancePath:instancePath+"/spec/kubernetes/featureGates",schemaPath:"\
#/properties/spec/properties/kubernetes/properties/featureGates/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err28]:vErrors.push(err28),
errors++}}}else{const err29={instancePath:instancePath+"/spec/kubernetes",schemaPath:"#/properties/spec/properties/kubernetes/type",keyword:"type",params:{type:"\
object"}};vErrors===null?vErrors=[err29]:vErrors.push(err29),errors++}}if(data4.autoscaler!==void 0){let data9=data4.autoscaler;if(data9&&typeof data9=="object"&&
!Array.isArray(data9)){if(data9.kind===void 0){const err30={instancePath:instancePath+"/spec/autoscaler",schemaPath:"#/properties/spec/properties/autoscaler/req\
uired",keyword:"required",params:{missingProperty:"kind"}};vErrors===null?vErrors=[err30]:vErrors.push(err30),errors++}for(const key6 in data9)if(!(key6==="kind"||
key6==="version"||key6==="provisioningRequests"||key6==="claims"||key6==="maxGracePeriod")){const err31={instancePath:instancePath+"/spec/autoscaler",schemaPath:"\
#/properties/spec/properties/autoscaler/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key6}};vErrors===null?vErrors=[err31]:vErrors.
push(err31),errors++}if(data9.kind!==void 0){let data10=data9.kind;if(typeof data10!="string"){const err32={instancePath:instancePath+"/spec/autoscaler/kind",schemaPath:"\
#/properties/spec/properties/autoscaler/properties/kind/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err32]:vErrors.push(err32),errors++}
if(!(data10==="none"||data10==="cluster-autoscaler"||data10==="karpenter"||data10==="gke"||data10==="eks-auto"||data10==="aks")){const err33={instancePath:instancePath+
"/spec/autoscaler/kind",schemaPath:"#/properties/spec/properties/autoscaler/properties/kind/enum",keyword:"enum",params:{allowedValues:schema34.properties.spec.
properties.autoscaler.properties.kind.enum}};vErrors===null?vErrors=[err33]:vErrors.push(err33),errors++}}if(data9.version!==void 0){let data11=data9.version;if(typeof data11==
"string"){if(data11.length>64){const err34={instancePath:instancePath+"/spec/autoscaler/version",schemaPath:"#/properties/spec/properties/autoscaler/properties/\
version/maxLength",keyword:"maxLength",params:{limit:64}};vErrors===null?vErrors=[err34]:vErrors.push(err34),errors++}if(!pattern68.test(data11)){const err35={instancePath:instancePath+
"/spec/autoscaler/version",schemaPath:"#/properties/spec/properties/autoscaler/properties/version/pattern",keyword:"pattern",params:{pattern:"^v?[0-9]{1,5}\\.[0-\
9]{1,5}(\\.[0-9]{1,5})?([-+].*)?$"}};vErrors===null?vErrors=[err35]:vErrors.push(err35),errors++}}else{const err36={instancePath:instancePath+"/spec/autoscaler/\
version",schemaPath:"#/properties/spec/properties/autoscaler/properties/version/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err36]:vErrors.
push(err36),errors++}}if(data9.provisioningRequests!==void 0&&typeof data9.provisioningRequests!="boolean"){const err37={instancePath:instancePath+"/spec/autosc\
aler/provisioningRequests",schemaPath:"#/properties/spec/properties/autoscaler/properties/provisioningRequests/type",keyword:"type",params:{type:"boolean"}};vErrors===
null?vErrors=[err37]:vErrors.push(err37),errors++}if(data9.claims!==void 0&&typeof data9.claims!="boolean"){const err38={instancePath:instancePath+"/spec/autosc\
aler/claims",schemaPath:"#/properties/spec/properties/autoscaler/properties/claims/type",keyword:"type",params:{type:"boolean"}};vErrors===null?vErrors=[err38]:
vErrors.push(err38),errors++}if(data9.maxGracePeriod!==void 0){let data14=data9.maxGracePeriod;if(typeof data14=="string"){if(data14.length>32){const err39={instancePath:instancePath+
"/spec/autoscaler/maxGracePeriod",schemaPath:"#/properties/spec/properties/autoscaler/properties/maxGracePeriod/maxLength",keyword:"maxLength",params:{limit:32}};
vErrors===null?vErrors=[err39]:vErrors.push(err39),errors++}if(!pattern3.test(data14)){const err40={instancePath:instancePath+"/spec/autoscaler/maxGracePeriod",
schemaPath:"#/properties/spec/properties/autoscaler/properties/maxGracePeriod/pattern",keyword:"pattern",params:{pattern:"^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$"}};vErrors===
null?vErrors=[err40]:vErrors.push(err40),errors++}}else{const err41={instancePath:instancePath+"/spec/autoscaler/maxGracePeriod",schemaPath:"#/properties/spec/p\
roperties/autoscaler/properties/maxGracePeriod/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err41]:vErrors.push(err41),errors++}}}else{const err42={
instancePath:instancePath+"/spec/autoscaler",schemaPath:"#/properties/spec/properties/autoscaler/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=
[err42]:vErrors.push(err42),errors++}}if(data4.scheduler!==void 0){let data15=data4.scheduler;if(data15&&typeof data15=="object"&&!Array.isArray(data15)){for(const key7 in data15)
if(!(key7==="scoring"||key7==="profiles"||key7==="numaAware")){const err43={instancePath:instancePath+"/spec/scheduler",schemaPath:"#/properties/spec/properties\
/scheduler/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key7}};vErrors===null?vErrors=[err43]:vErrors.push(err43),errors++}if(data15.
scoring!==void 0){let data16=data15.scoring;if(typeof data16!="string"){const err44={instancePath:instancePath+"/spec/scheduler/scoring",schemaPath:"#/propertie\
s/spec/properties/scheduler/properties/scoring/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err44]:vErrors.push(err44),errors++}if(!(data16===
"LeastAllocated"||data16==="MostAllocated")){const err45={instancePath:instancePath+"/spec/scheduler/scoring",schemaPath:"#/properties/spec/properties/scheduler\
/properties/scoring/enum",keyword:"enum",params:{allowedValues:schema34.properties.spec.properties.scheduler.properties.scoring.enum}};vErrors===null?vErrors=[err45]:
vErrors.push(err45),errors++}}if(data15.profiles!==void 0){let data17=data15.profiles;if(Array.isArray(data17)){if(data17.length>256){const err46={instancePath:instancePath+
"/spec/scheduler/profiles",schemaPath:"#/properties/spec/properties/scheduler/properties/profiles/maxItems",keyword:"maxItems",params:{limit:256}};vErrors===null?
vErrors=[err46]:vErrors.push(err46),errors++}if(data17.length<1){const err47={instancePath:instancePath+"/spec/scheduler/profiles",schemaPath:"#/properties/spec\
/properties/scheduler/properties/profiles/minItems",keyword:"minItems",params:{limit:1}};vErrors===null?vErrors=[err47]:vErrors.push(err47),errors++}const len0=data17.
length;for(let i0=0;i0<len0;i0++){let data18=data17[i0];if(typeof data18=="string"){if(data18.length>253){const err48={instancePath:instancePath+"/spec/schedule\
r/profiles/"+i0,schemaPath:"#/properties/spec/properties/scheduler/properties/profiles/items/maxLength",keyword:"maxLength",params:{limit:253}};vErrors===null?vErrors=
[err48]:vErrors.push(err48),errors++}if(data18.length<1){const err49={instancePath:instancePath+"/spec/scheduler/profiles/"+i0,schemaPath:"#/properties/spec/pro\
perties/scheduler/properties/profiles/items/minLength",keyword:"minLength",params:{limit:1}};vErrors===null?vErrors=[err49]:vErrors.push(err49),errors++}}else{const err50={
instancePath:instancePath+"/spec/scheduler/profiles/"+i0,schemaPath:"#/properties/spec/properties/scheduler/properties/profiles/items/type",keyword:"type",params:{
type:"string"}};vErrors===null?vErrors=[err50]:vErrors.push(err50),errors++}}let i1=data17.length,j0;if(i1>1){const indices0={};for(;i1--;){let item0=data17[i1];
if(typeof item0=="string"){if(typeof indices0[item0]=="number"){j0=indices0[item0];const err51={instancePath:instancePath+"/spec/scheduler/profiles",schemaPath:"\
#/properties/spec/properties/scheduler/properties/profiles/uniqueItems",keyword:"uniqueItems",params:{i:i1,j:j0}};vErrors===null?vErrors=[err51]:vErrors.push(err51),
errors++;break}indices0[item0]=i1}}}}else{const err52={instancePath:instancePath+"/spec/scheduler/profiles",schemaPath:"#/properties/spec/properties/scheduler/p\
roperties/profiles/type",keyword:"type",params:{type:"array"}};vErrors===null?vErrors=[err52]:vErrors.push(err52),errors++}}if(data15.numaAware!==void 0){let data19=data15.
numaAware;if(Array.isArray(data19)){if(data19.length>256){const err53={instancePath:instancePath+"/spec/scheduler/numaAware",schemaPath:"#/properties/spec/prope\
rties/scheduler/properties/numaAware/maxItems",keyword:"maxItems",params:{limit:256}};vErrors===null?vErrors=[err53]:vErrors.push(err53),errors++}if(data19.length<
1){const err54={instancePath:instancePath+"/spec/scheduler/numaAware",schemaPath:"#/properties/spec/properties/scheduler/properties/numaAware/minItems",keyword:"\
minItems",params:{limit:1}};vErrors===null?vErrors=[err54]:vErrors.push(err54),errors++}const len1=data19.length;for(let i2=0;i2<len1;i2++){let data20=data19[i2];
if(typeof data20=="string"){if(data20.length>253){const err55={instancePath:instancePath+"/spec/scheduler/numaAware/"+i2,schemaPath:"#/properties/spec/propertie\
s/scheduler/properties/numaAware/items/maxLength",keyword:"maxLength",params:{limit:253}};vErrors===null?vErrors=[err55]:vErrors.push(err55),errors++}if(data20.
length<1){const err56={instancePath:instancePath+"/spec/scheduler/numaAware/"+i2,schemaPath:"#/properties/spec/properties/scheduler/properties/numaAware/items/m\
inLength",keyword:"minLength",params:{limit:1}};vErrors===null?vErrors=[err56]:vErrors.push(err56),errors++}}else{const err57={instancePath:instancePath+"/spec/\
scheduler/numaAware/"+i2,schemaPath:"#/properties/spec/properties/scheduler/properties/numaAware/items/type",keyword:"type",params:{type:"string"}};vErrors===null?
vErrors=[err57]:vErrors.push(err57),errors++}}let i3=data19.length,j1;if(i3>1){const indices1={};for(;i3--;){let item1=data19[i3];if(typeof item1=="string"){if(typeof indices1[item1]==
"number"){j1=indices1[item1];const err58={instancePath:instancePath+"/spec/scheduler/numaAware",schemaPath:"#/properties/spec/properties/scheduler/properties/nu\
maAware/uniqueItems",keyword:"uniqueItems",params:{i:i3,j:j1}};vErrors===null?vErrors=[err58]:vErrors.push(err58),errors++;break}indices1[item1]=i3}}}}else{const err59={
instancePath:instancePath+"/spec/scheduler/numaAware",schemaPath:"#/properties/spec/properties/scheduler/properties/numaAware/type",keyword:"type",params:{type:"\
array"}};vErrors===null?vErrors=[err59]:vErrors.push(err59),errors++}}}else{const err60={instancePath:instancePath+"/spec/scheduler",schemaPath:"#/properties/sp\
ec/properties/scheduler/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err60]:vErrors.push(err60),errors++}}if(data4.network!==void 0){let data21=data4.
network;if(data21&&typeof data21=="object"&&!Array.isArray(data21)){if(data21.driver===void 0){const err61={instancePath:instancePath+"/spec/network",schemaPath:"\
#/properties/spec/properties/network/required",keyword:"required",params:{missingProperty:"driver"}};vErrors===null?vErrors=[err61]:vErrors.push(err61),errors++}
if(data21.deviceClassName===void 0){const err62={instancePath:instancePath+"/spec/network",schemaPath:"#/properties/spec/properties/network/required",keyword:"r\
equired",params:{missingProperty:"deviceClassName"}};vErrors===null?vErrors=[err62]:vErrors.push(err62),errors++}for(const key8 in data21)if(!(key8==="driver"||
key8==="deviceClassName"||key8==="selectors"||key8==="alignment")){const err63={instancePath:instancePath+"/spec/network",schemaPath:"#/properties/spec/properti\
es/network/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key8}};vErrors===null?vErrors=[err63]:vErrors.push(err63),errors++}if(data21.
driver!==void 0){let data22=data21.driver;if(typeof data22=="string"){if(data22.length>63){const err64={instancePath:instancePath+"/spec/network/driver",schemaPath:"\
#/properties/spec/properties/network/properties/driver/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err64]:vErrors.push(err64),errors++}
if(!pattern32.test(data22)){const err65={instancePath:instancePath+"/spec/network/driver",schemaPath:"#/properties/spec/properties/network/properties/driver/pat\
tern",keyword:"pattern",params:{pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$"}};vErrors===null?vErrors=[err65]:vErrors.push(err65),
errors++}}else{const err66={instancePath:instancePath+"/spec/network/driver",schemaPath:"#/properties/spec/properties/network/properties/driver/type",keyword:"t\
ype",params:{type:"string"}};vErrors===null?vErrors=[err66]:vErrors.push(err66),errors++}}if(data21.deviceClassName!==void 0){let data23=data21.deviceClassName;
if(typeof data23=="string"){if(data23.length>253){const err67={instancePath:instancePath+"/spec/network/deviceClassName",schemaPath:"#/properties/spec/propertie\
s/network/properties/deviceClassName/maxLength",keyword:"maxLength",params:{limit:253}};vErrors===null?vErrors=[err67]:vErrors.push(err67),errors++}if(!pattern32.
test(data23)){const err68={instancePath:instancePath+"/spec/network/deviceClassName",schemaPath:"#/properties/spec/properties/network/properties/deviceClassName\
/pattern",keyword:"pattern",params:{pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$"}};vErrors===null?vErrors=[err68]:vErrors.push(err68),
errors++}}else{const err69={instancePath:instancePath+"/spec/network/deviceClassName",schemaPath:"#/properties/spec/properties/network/properties/deviceClassNam\
e/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err69]:vErrors.push(err69),errors++}}if(data21.selectors!==void 0){let data24=data21.selectors;
if(Array.isArray(data24)){if(data24.length>256){const err70={instancePath:instancePath+"/spec/network/selectors",schemaPath:"#/properties/spec/properties/networ\
k/properties/selectors/maxItems",keyword:"maxItems",params:{limit:256}};vErrors===null?vErrors=[err70]:vErrors.push(err70),errors++}if(data24.length<1){const err71={
instancePath:instancePath+"/spec/network/selectors",schemaPath:"#/properties/spec/properties/network/properties/selectors/minItems",keyword:"minItems",params:{limit:1}};
vErrors===null?vErrors=[err71]:vErrors.push(err71),errors++}const len2=data24.length;for(let i4=0;i4<len2;i4++){let data25=data24[i4];if(typeof data25=="string"){
if(data25.length>10240){const err72={instancePath:instancePath+"/spec/network/selectors/"+i4,schemaPath:"#/properties/spec/properties/network/properties/selecto\
rs/items/maxLength",keyword:"maxLength",params:{limit:10240}};vErrors===null?vErrors=[err72]:vErrors.push(err72),errors++}if(data25.length<1){const err73={instancePath:instancePath+
"/spec/network/selectors/"+i4,schemaPath:"#/properties/spec/properties/network/properties/selectors/items/minLength",keyword:"minLength",params:{limit:1}};vErrors===
null?vErrors=[err73]:vErrors.push(err73),errors++}}else{const err74={instancePath:instancePath+"/spec/network/selectors/"+i4,schemaPath:"#/properties/spec/prope\
rties/network/properties/selectors/items/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err74]:vErrors.push(err74),errors++}}let i5=data24.
length,j2;if(i5>1){const indices2={};for(;i5--;){let item2=data24[i5];if(typeof item2=="string"){if(typeof indices2[item2]=="number"){j2=indices2[item2];const err75={
instancePath:instancePath+"/spec/network/selectors",schemaPath:"#/properties/spec/properties/network/properties/selectors/uniqueItems",keyword:"uniqueItems",params:{
i:i5,j:j2}};vErrors===null?vErrors=[err75]:vErrors.push(err75),errors++;break}indices2[item2]=i5}}}}else{const err76={instancePath:instancePath+"/spec/network/s\
electors",schemaPath:"#/properties/spec/properties/network/properties/selectors/type",keyword:"type",params:{type:"array"}};vErrors===null?vErrors=[err76]:vErrors.
push(err76),errors++}}if(data21.alignment!==void 0){let data26=data21.alignment;if(data26&&typeof data26=="object"&&!Array.isArray(data26)){for(const key9 in data26)
if(!(key9==="numa"||key9==="pcie")){const err77={instancePath:instancePath+"/spec/network/alignment",schemaPath:"#/properties/spec/properties/network/properties\
/alignment/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key9}};vErrors===null?vErrors=[err77]:vErrors.push(err77),errors++}if(data26.
numa!==void 0){let data27=data26.numa;if(typeof data27=="string"){if(data27.length>316){const err78={instancePath:instancePath+"/spec/network/alignment/numa",schemaPath:"\
#/properties/spec/properties/network/properties/alignment/properties/numa/maxLength",keyword:"maxLength",params:{limit:316}};vErrors===null?vErrors=[err78]:vErrors.
push(err78),errors++}if(!pattern11.test(data27)){const err79={instancePath:instancePath+"/spec/network/alignment/numa",schemaPath:"#/properties/spec/properties/\
network/properties/alignment/properties/numa/pattern",keyword:"pattern",params:{pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-\
9])?$"}};vErrors===null?vErrors=[err79]:vErrors.push(err79),errors++}}else{const err80={instancePath:instancePath+"/spec/network/alignment/numa",schemaPath:"#/p\
roperties/spec/properties/network/properties/alignment/properties/numa/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err80]:vErrors.push(
err80),errors++}}if(data26.pcie!==void 0){let data28=data26.pcie;if(typeof data28=="string"){if(data28.length>316){const err81={instancePath:instancePath+"/spec\
/network/alignment/pcie",schemaPath:"#/properties/spec/properties/network/properties/alignment/properties/pcie/maxLength",keyword:"maxLength",params:{limit:316}};
vErrors===null?vErrors=[err81]:vErrors.push(err81),errors++}if(!pattern11.test(data28)){const err82={instancePath:instancePath+"/spec/network/alignment/pcie",schemaPath:"\
#/properties/spec/properties/network/properties/alignment/properties/pcie/pattern",keyword:"pattern",params:{pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z\
0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$"}};vErrors===null?vErrors=[err82]:vErrors.push(err82),errors++}}else{const err83={instancePath:instancePath+"/spec/network/al\
ignment/pcie",schemaPath:"#/properties/spec/properties/network/properties/alignment/properties/pcie/type",keyword:"type",params:{type:"string"}};vErrors===null?
vErrors=[err83]:vErrors.push(err83),errors++}}}else{const err84={instancePath:instancePath+"/spec/network/alignment",schemaPath:"#/properties/spec/properties/ne\
twork/properties/alignment/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err84]:vErrors.push(err84),errors++}}}else{const err85={instancePath:instancePath+
"/spec/network",schemaPath:"#/properties/spec/properties/network/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err85]:vErrors.push(err85),
errors++}}if(data4.kueue!==void 0){let data29=data4.kueue;if(data29&&typeof data29=="object"&&!Array.isArray(data29)){if(data29.version===void 0){const err86={instancePath:instancePath+
"/spec/kueue",schemaPath:"#/properties/spec/properties/kueue/required",keyword:"required",params:{missingProperty:"version"}};vErrors===null?vErrors=[err86]:vErrors.
push(err86),errors++}for(const key10 in data29)if(key10!=="version"){const err87={instancePath:instancePath+"/spec/kueue",schemaPath:"#/properties/spec/properti\
es/kueue/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key10}};vErrors===null?vErrors=[err87]:vErrors.push(err87),errors++}if(data29.
version!==void 0){let data30=data29.version;if(typeof data30=="string"){if(data30.length>64){const err88={instancePath:instancePath+"/spec/kueue/version",schemaPath:"\
#/properties/spec/properties/kueue/properties/version/maxLength",keyword:"maxLength",params:{limit:64}};vErrors===null?vErrors=[err88]:vErrors.push(err88),errors++}
if(!pattern68.test(data30)){const err89={instancePath:instancePath+"/spec/kueue/version",schemaPath:"#/properties/spec/properties/kueue/properties/version/patte\
rn",keyword:"pattern",params:{pattern:"^v?[0-9]{1,5}\\.[0-9]{1,5}(\\.[0-9]{1,5})?([-+].*)?$"}};vErrors===null?vErrors=[err89]:vErrors.push(err89),errors++}}else{
const err90={instancePath:instancePath+"/spec/kueue/version",schemaPath:"#/properties/spec/properties/kueue/properties/version/type",keyword:"type",params:{type:"\
string"}};vErrors===null?vErrors=[err90]:vErrors.push(err90),errors++}}}else{const err91={instancePath:instancePath+"/spec/kueue",schemaPath:"#/properties/spec/\
properties/kueue/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err91]:vErrors.push(err91),errors++}}if(data4.dialect!==void 0){let data31=data4.
dialect;const _errs74=errors;let valid20=!1;const _errs75=errors;if(typeof data31!="string"){const err92={instancePath:instancePath+"/spec/dialect",schemaPath:"\
#/properties/spec/properties/dialect/anyOf/0/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err92]:vErrors.push(err92),errors++}if(!(data31===
"gke"||data31==="eks"||data31==="eks-auto"||data31==="karpenter-aws"||data31==="aks"||data31==="gfd")){const err93={instancePath:instancePath+"/spec/dialect",schemaPath:"\
#/properties/spec/properties/dialect/anyOf/0/enum",keyword:"enum",params:{allowedValues:schema34.properties.spec.properties.dialect.anyOf[0].enum}};vErrors===null?
vErrors=[err93]:vErrors.push(err93),errors++}var _valid0=_errs75===errors;valid20=valid20||_valid0;const _errs77=errors;if(data31&&typeof data31=="object"&&!Array.
isArray(data31)){if(data31.acceleratorKeys===void 0){const err94={instancePath:instancePath+"/spec/dialect",schemaPath:"#/properties/spec/properties/dialect/any\
Of/1/required",keyword:"required",params:{missingProperty:"acceleratorKeys"}};vErrors===null?vErrors=[err94]:vErrors.push(err94),errors++}if(data31.capacityTypes===
void 0){const err95={instancePath:instancePath+"/spec/dialect",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/required",keyword:"required",params:{missingProperty:"\
capacityTypes"}};vErrors===null?vErrors=[err95]:vErrors.push(err95),errors++}for(const key11 in data31)if(!(key11==="acceleratorKeys"||key11==="capacityTypes"||
key11==="acceleratorTolerations")){const err96={instancePath:instancePath+"/spec/dialect",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/additionalPro\
perties",keyword:"additionalProperties",params:{additionalProperty:key11}};vErrors===null?vErrors=[err96]:vErrors.push(err96),errors++}if(data31.acceleratorKeys!==
void 0){let data32=data31.acceleratorKeys;if(Array.isArray(data32)){if(data32.length>256){const err97={instancePath:instancePath+"/spec/dialect/acceleratorKeys",
schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/acceleratorKeys/maxItems",keyword:"maxItems",params:{limit:256}};vErrors===null?vErrors=[err97]:
vErrors.push(err97),errors++}if(data32.length<1){const err98={instancePath:instancePath+"/spec/dialect/acceleratorKeys",schemaPath:"#/properties/spec/properties\
/dialect/anyOf/1/properties/acceleratorKeys/minItems",keyword:"minItems",params:{limit:1}};vErrors===null?vErrors=[err98]:vErrors.push(err98),errors++}const len3=data32.
length;for(let i6=0;i6<len3;i6++){let data33=data32[i6];if(typeof data33=="string"){if(data33.length>316){const err99={instancePath:instancePath+"/spec/dialect/\
acceleratorKeys/"+i6,schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/acceleratorKeys/items/maxLength",keyword:"maxLength",params:{limit:316}};
vErrors===null?vErrors=[err99]:vErrors.push(err99),errors++}if(!pattern11.test(data33)){const err100={instancePath:instancePath+"/spec/dialect/acceleratorKeys/"+
i6,schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/acceleratorKeys/items/pattern",keyword:"pattern",params:{pattern:"^([a-z0-9]([-a-z0-9.]*[\
a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$"}};vErrors===null?vErrors=[err100]:vErrors.push(err100),errors++}}else{const err101={instancePath:instancePath+
"/spec/dialect/acceleratorKeys/"+i6,schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/acceleratorKeys/items/type",keyword:"type",params:{type:"\
string"}};vErrors===null?vErrors=[err101]:vErrors.push(err101),errors++}}let i7=data32.length,j3;if(i7>1){const indices3={};for(;i7--;){let item3=data32[i7];if(typeof item3==
"string"){if(typeof indices3[item3]=="number"){j3=indices3[item3];const err102={instancePath:instancePath+"/spec/dialect/acceleratorKeys",schemaPath:"#/properti\
es/spec/properties/dialect/anyOf/1/properties/acceleratorKeys/uniqueItems",keyword:"uniqueItems",params:{i:i7,j:j3}};vErrors===null?vErrors=[err102]:vErrors.push(
err102),errors++;break}indices3[item3]=i7}}}}else{const err103={instancePath:instancePath+"/spec/dialect/acceleratorKeys",schemaPath:"#/properties/spec/properti\
es/dialect/anyOf/1/properties/acceleratorKeys/type",keyword:"type",params:{type:"array"}};vErrors===null?vErrors=[err103]:vErrors.push(err103),errors++}}if(data31.
capacityTypes!==void 0){let data34=data31.capacityTypes;if(data34&&typeof data34=="object"&&!Array.isArray(data34)){for(const key12 in data34)if(!(key12==="rese\
rved"||key12==="on-demand"||key12==="spot")){const err104={instancePath:instancePath+"/spec/dialect/capacityTypes",schemaPath:"#/properties/spec/properties/dial\
ect/anyOf/1/properties/capacityTypes/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key12}};vErrors===null?vErrors=[err104]:vErrors.
push(err104),errors++}if(data34.reserved!==void 0){let data35=data34.reserved;if(data35&&typeof data35=="object"&&!Array.isArray(data35)){for(const key13 in data35)
if(!(key13==="selection"||key13==="tolerations")){const err105={instancePath:instancePath+"/spec/dialect/capacityTypes/reserved",schemaPath:"#/properties/spec/p\
roperties/dialect/anyOf/1/properties/capacityTypes/properties/reserved/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key13}};vErrors===
null?vErrors=[err105]:vErrors.push(err105),errors++}if(data35.selection!==void 0){let data36=data35.selection;if(data36&&typeof data36=="object"&&!Array.isArray(
data36)){if(data36.key===void 0){const err106={instancePath:instancePath+"/spec/dialect/capacityTypes/reserved/selection",schemaPath:"#/properties/spec/properti\
es/dialect/anyOf/1/properties/capacityTypes/properties/reserved/properties/selection/required",keyword:"required",params:{missingProperty:"key"}};vErrors===null?
vErrors=[err106]:vErrors.push(err106),errors++}for(const key14 in data36)if(!(key14==="key"||key14==="operator"||key14==="values")){const err107={instancePath:instancePath+
"/spec/dialect/capacityTypes/reserved/selection",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/reserved/propertie\
s/selection/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key14}};vErrors===null?vErrors=[err107]:vErrors.push(err107),errors++}
if(data36.key!==void 0){let data37=data36.key;if(typeof data37=="string"){if(data37.length>316){const err108={instancePath:instancePath+"/spec/dialect/capacityT\
ypes/reserved/selection/key",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/reserved/properties/selection/properti\
es/key/maxLength",keyword:"maxLength",params:{limit:316}};vErrors===null?vErrors=[err108]:vErrors.push(err108),errors++}if(!pattern11.test(data37)){const err109={
instancePath:instancePath+"/spec/dialect/capacityTypes/reserved/selection/key",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes\
/properties/reserved/properties/selection/properties/key/pattern",keyword:"pattern",params:{pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_\
.]*[A-Za-z0-9])?$"}};vErrors===null?vErrors=[err109]:vErrors.push(err109),errors++}}else{const err110={instancePath:instancePath+"/spec/dialect/capacityTypes/re\
served/selection/key",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/reserved/properties/selection/properties/key/\
type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err110]:vErrors.push(err110),errors++}}if(data36.operator!==void 0){let data38=data36.operator;
if(typeof data38!="string"){const err111={instancePath:instancePath+"/spec/dialect/capacityTypes/reserved/selection/operator",schemaPath:"#/properties/spec/prop\
erties/dialect/anyOf/1/properties/capacityTypes/properties/reserved/properties/selection/properties/operator/type",keyword:"type",params:{type:"string"}};vErrors===
null?vErrors=[err111]:vErrors.push(err111),errors++}if(!(data38==="In"||data38==="NotIn"||data38==="Exists"||data38==="DoesNotExist")){const err112={instancePath:instancePath+
"/spec/dialect/capacityTypes/reserved/selection/operator",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/reserved/\
properties/selection/properties/operator/enum",keyword:"enum",params:{allowedValues:schema34.properties.spec.properties.dialect.anyOf[1].properties.capacityTypes.
properties.reserved.properties.selection.properties.operator.enum}};vErrors===null?vErrors=[err112]:vErrors.push(err112),errors++}}if(data36.values!==void 0){let data39=data36.
values;if(Array.isArray(data39)){if(data39.length>256){const err113={instancePath:instancePath+"/spec/dialect/capacityTypes/reserved/selection/values",schemaPath:"\
#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/reserved/properties/selection/properties/values/maxItems",keyword:"maxItems",params:{
limit:256}};vErrors===null?vErrors=[err113]:vErrors.push(err113),errors++}if(data39.length<0){const err114={instancePath:instancePath+"/spec/dialect/capacityTyp\
es/reserved/selection/values",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/reserved/properties/selection/propert\
ies/values/minItems",keyword:"minItems",params:{limit:0}};vErrors===null?vErrors=[err114]:vErrors.push(err114),errors++}const len4=data39.length;for(let i8=0;i8<
len4;i8++){let data40=data39[i8];if(typeof data40=="string"){if(data40.length>63){const err115={instancePath:instancePath+"/spec/dialect/capacityTypes/reserved/\
selection/values/"+i8,schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/reserved/properties/selection/properties/valu\
es/items/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err115]:vErrors.push(err115),errors++}if(!pattern12.test(data40)){const err116={
instancePath:instancePath+"/spec/dialect/capacityTypes/reserved/selection/values/"+i8,schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capaci\
tyTypes/properties/reserved/properties/selection/properties/values/items/pattern",keyword:"pattern",params:{pattern:"^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)\
?$"}};vErrors===null?vErrors=[err116]:vErrors.push(err116),errors++}}else{const err117={instancePath:instancePath+"/spec/dialect/capacityTypes/reserved/selectio\
n/values/"+i8,schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/reserved/properties/selection/properties/values/items\
/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err117]:vErrors.push(err117),errors++}}let i9=data39.length,j4;if(i9>1){const indices4={};
for(;i9--;){let item4=data39[i9];if(typeof item4=="string"){if(typeof indices4[item4]=="number"){j4=indices4[item4];const err118={instancePath:instancePath+"/sp\
ec/dialect/capacityTypes/reserved/selection/values",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/reserved/proper\
ties/selection/properties/values/uniqueItems",keyword:"uniqueItems",params:{i:i9,j:j4}};vErrors===null?vErrors=[err118]:vErrors.push(err118),errors++;break}indices4[item4]=
i9}}}}else{const err119={instancePath:instancePath+"/spec/dialect/capacityTypes/reserved/selection/values",schemaPath:"#/properties/spec/properties/dialect/anyO\
f/1/properties/capacityTypes/properties/reserved/properties/selection/properties/values/type",keyword:"type",params:{type:"array"}};vErrors===null?vErrors=[err119]:
vErrors.push(err119),errors++}}}else{const err120={instancePath:instancePath+"/spec/dialect/capacityTypes/reserved/selection",schemaPath:"#/properties/spec/prop\
erties/dialect/anyOf/1/properties/capacityTypes/properties/reserved/properties/selection/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err120]:
vErrors.push(err120),errors++}}if(data35.tolerations!==void 0){let data41=data35.tolerations;if(Array.isArray(data41)){if(data41.length>32){const err121={instancePath:instancePath+
"/spec/dialect/capacityTypes/reserved/tolerations",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/reserved/propert\
ies/tolerations/maxItems",keyword:"maxItems",params:{limit:32}};vErrors===null?vErrors=[err121]:vErrors.push(err121),errors++}const len5=data41.length;for(let i10=0;i10<
len5;i10++){let data42=data41[i10];if(data42&&typeof data42=="object"&&!Array.isArray(data42)){if(data42.key===void 0){const err122={instancePath:instancePath+"\
/spec/dialect/capacityTypes/reserved/tolerations/"+i10,schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/reserved/pro\
perties/tolerations/items/required",keyword:"required",params:{missingProperty:"key"}};vErrors===null?vErrors=[err122]:vErrors.push(err122),errors++}for(const key15 in data42)
if(!(key15==="key"||key15==="operator"||key15==="value"||key15==="effect")){const err123={instancePath:instancePath+"/spec/dialect/capacityTypes/reserved/tolera\
tions/"+i10,schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/reserved/properties/tolerations/items/additionalPropert\
ies",keyword:"additionalProperties",params:{additionalProperty:key15}};vErrors===null?vErrors=[err123]:vErrors.push(err123),errors++}if(data42.key!==void 0){let data43=data42.
key;if(typeof data43=="string"){if(data43.length>316){const err124={instancePath:instancePath+"/spec/dialect/capacityTypes/reserved/tolerations/"+i10+"/key",schemaPath:"\
#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/reserved/properties/tolerations/items/properties/key/maxLength",keyword:"maxLen\
gth",params:{limit:316}};vErrors===null?vErrors=[err124]:vErrors.push(err124),errors++}if(!pattern11.test(data43)){const err125={instancePath:instancePath+"/spe\
c/dialect/capacityTypes/reserved/tolerations/"+i10+"/key",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/reserved/\
properties/tolerations/items/properties/key/pattern",keyword:"pattern",params:{pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9\
])?$"}};vErrors===null?vErrors=[err125]:vErrors.push(err125),errors++}}else{const err126={instancePath:instancePath+"/spec/dialect/capacityTypes/reserved/tolera\
tions/"+i10+"/key",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/reserved/properties/tolerations/items/properties\
/key/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err126]:vErrors.push(err126),errors++}}if(data42.operator!==void 0){let data44=data42.
operator;if(typeof data44!="string"){const err127={instancePath:instancePath+"/spec/dialect/capacityTypes/reserved/tolerations/"+i10+"/operator",schemaPath:"#/p\
roperties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/reserved/properties/tolerations/items/properties/operator/type",keyword:"type",params:{
type:"string"}};vErrors===null?vErrors=[err127]:vErrors.push(err127),errors++}if(!(data44==="Exists"||data44==="Equal")){const err128={instancePath:instancePath+
"/spec/dialect/capacityTypes/reserved/tolerations/"+i10+"/operator",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties\
/reserved/properties/tolerations/items/properties/operator/enum",keyword:"enum",params:{allowedValues:schema34.properties.spec.properties.dialect.anyOf[1].properties.
capacityTypes.properties.reserved.properties.tolerations.items.properties.operator.enum}};vErrors===null?vErrors=[err128]:vErrors.push(err128),errors++}}if(data42.
value!==void 0){let data45=data42.value;if(typeof data45=="string"){if(data45.length>63){const err129={instancePath:instancePath+"/spec/dialect/capacityTypes/re\
served/tolerations/"+i10+"/value",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/reserved/properties/tolerations/i\
tems/properties/value/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err129]:vErrors.push(err129),errors++}if(!pattern12.test(data45)){
const err130={instancePath:instancePath+"/spec/dialect/capacityTypes/reserved/tolerations/"+i10+"/value",schemaPath:"#/properties/spec/properties/dialect/anyOf/\
1/properties/capacityTypes/properties/reserved/properties/tolerations/items/properties/value/pattern",keyword:"pattern",params:{pattern:"^([A-Za-z0-9]([-A-Za-z0\
-9_.]*[A-Za-z0-9])?)?$"}};vErrors===null?vErrors=[err130]:vErrors.push(err130),errors++}}else{const err131={instancePath:instancePath+"/spec/dialect/capacityTyp\
es/reserved/tolerations/"+i10+"/value",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/reserved/properties/tolerati\
ons/items/properties/value/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err131]:vErrors.push(err131),errors++}}if(data42.effect!==void 0){
let data46=data42.effect;if(typeof data46!="string"){const err132={instancePath:instancePath+"/spec/dialect/capacityTypes/reserved/tolerations/"+i10+"/effect",schemaPath:"\
#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/reserved/properties/tolerations/items/properties/effect/type",keyword:"type",params:{
type:"string"}};vErrors===null?vErrors=[err132]:vErrors.push(err132),errors++}if(!(data46==="NoSchedule"||data46==="PreferNoSchedule"||data46==="NoExecute")){const err133={
instancePath:instancePath+"/spec/dialect/capacityTypes/reserved/tolerations/"+i10+"/effect",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/\
capacityTypes/properties/reserved/properties/tolerations/items/properties/effect/enum",keyword:"enum",params:{allowedValues:schema34.properties.spec.properties.
dialect.anyOf[1].properties.capacityTypes.properties.reserved.properties.tolerations.items.properties.effect.enum}};vErrors===null?vErrors=[err133]:vErrors.push(
err133),errors++}}}else{const err134={instancePath:instancePath+"/spec/dialect/capacityTypes/reserved/tolerations/"+i10,schemaPath:"#/properties/spec/properties\
/dialect/anyOf/1/properties/capacityTypes/properties/reserved/properties/tolerations/items/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[
err134]:vErrors.push(err134),errors++}}}else{const err135={instancePath:instancePath+"/spec/dialect/capacityTypes/reserved/tolerations",schemaPath:"#/properties\
/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/reserved/properties/tolerations/type",keyword:"type",params:{type:"array"}};vErrors===null?
vErrors=[err135]:vErrors.push(err135),errors++}}}else{const err136={instancePath:instancePath+"/spec/dialect/capacityTypes/reserved",schemaPath:"#/properties/sp\
ec/properties/dialect/anyOf/1/properties/capacityTypes/properties/reserved/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err136]:vErrors.
push(err136),errors++}}if(data34["on-demand"]!==void 0){let data47=data34["on-demand"];if(data47&&typeof data47=="object"&&!Array.isArray(data47)){for(const key16 in data47)
if(!(key16==="selection"||key16==="tolerations")){const err137={instancePath:instancePath+"/spec/dialect/capacityTypes/on-demand",schemaPath:"#/properties/spec/\
properties/dialect/anyOf/1/properties/capacityTypes/properties/on-demand/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key16}};
vErrors===null?vErrors=[err137]:vErrors.push(err137),errors++}if(data47.selection!==void 0){let data48=data47.selection;if(data48&&typeof data48=="object"&&!Array.
isArray(data48)){if(data48.key===void 0){const err138={instancePath:instancePath+"/spec/dialect/capacityTypes/on-demand/selection",schemaPath:"#/properties/spec\
/properties/dialect/anyOf/1/properties/capacityTypes/properties/on-demand/properties/selection/required",keyword:"required",params:{missingProperty:"key"}};vErrors===
null?vErrors=[err138]:vErrors.push(err138),errors++}for(const key17 in data48)if(!(key17==="key"||key17==="operator"||key17==="values")){const err139={instancePath:instancePath+
"/spec/dialect/capacityTypes/on-demand/selection",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/on-demand/propert\
ies/selection/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key17}};vErrors===null?vErrors=[err139]:vErrors.push(err139),errors++}
if(data48.key!==void 0){let data49=data48.key;if(typeof data49=="string"){if(data49.length>316){const err140={instancePath:instancePath+"/spec/dialect/capacityT\
ypes/on-demand/selection/key",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/on-demand/properties/selection/proper\
ties/key/maxLength",keyword:"maxLength",params:{limit:316}};vErrors===null?vErrors=[err140]:vErrors.push(err140),errors++}if(!pattern11.test(data49)){const err141={
instancePath:instancePath+"/spec/dialect/capacityTypes/on-demand/selection/key",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityType\
s/properties/on-demand/properties/selection/properties/key/pattern",keyword:"pattern",params:{pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-\
9_.]*[A-Za-z0-9])?$"}};vErrors===null?vErrors=[err141]:vErrors.push(err141),errors++}}else{const err142={instancePath:instancePath+"/spec/dialect/capacityTypes/\
on-demand/selection/key",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/on-demand/properties/selection/properties/\
key/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err142]:vErrors.push(err142),errors++}}if(data48.operator!==void 0){let data50=data48.operator;
if(typeof data50!="string"){const err143={instancePath:instancePath+"/spec/dialect/capacityTypes/on-demand/selection/operator",schemaPath:"#/properties/spec/pro\
perties/dialect/anyOf/1/properties/capacityTypes/properties/on-demand/properties/selection/properties/operator/type",keyword:"type",params:{type:"string"}};vErrors===
null?vErrors=[err143]:vErrors.push(err143),errors++}if(!(data50==="In"||data50==="NotIn"||data50==="Exists"||data50==="DoesNotExist")){const err144={instancePath:instancePath+
"/spec/dialect/capacityTypes/on-demand/selection/operator",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/on-deman\
d/properties/selection/properties/operator/enum",keyword:"enum",params:{allowedValues:schema34.properties.spec.properties.dialect.anyOf[1].properties.capacityTypes.
properties["on-demand"].properties.selection.properties.operator.enum}};vErrors===null?vErrors=[err144]:vErrors.push(err144),errors++}}if(data48.values!==void 0){
let data51=data48.values;if(Array.isArray(data51)){if(data51.length>256){const err145={instancePath:instancePath+"/spec/dialect/capacityTypes/on-demand/selectio\
n/values",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/on-demand/properties/selection/properties/values/maxItems",
keyword:"maxItems",params:{limit:256}};vErrors===null?vErrors=[err145]:vErrors.push(err145),errors++}if(data51.length<0){const err146={instancePath:instancePath+
"/spec/dialect/capacityTypes/on-demand/selection/values",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/on-demand/\
properties/selection/properties/values/minItems",keyword:"minItems",params:{limit:0}};vErrors===null?vErrors=[err146]:vErrors.push(err146),errors++}const len6=data51.
length;for(let i11=0;i11<len6;i11++){let data52=data51[i11];if(typeof data52=="string"){if(data52.length>63){const err147={instancePath:instancePath+"/spec/dial\
ect/capacityTypes/on-demand/selection/values/"+i11,schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/on-demand/proper\
ties/selection/properties/values/items/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err147]:vErrors.push(err147),errors++}if(!pattern12.
test(data52)){const err148={instancePath:instancePath+"/spec/dialect/capacityTypes/on-demand/selection/values/"+i11,schemaPath:"#/properties/spec/properties/dia\
lect/anyOf/1/properties/capacityTypes/properties/on-demand/properties/selection/properties/values/items/pattern",keyword:"pattern",params:{pattern:"^([A-Za-z0-9\
]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$"}};vErrors===null?vErrors=[err148]:vErrors.push(err148),errors++}}else{const err149={instancePath:instancePath+"/spec/dialect/\
capacityTypes/on-demand/selection/values/"+i11,schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/on-demand/properties\
/selection/properties/values/items/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err149]:vErrors.push(err149),errors++}}let i12=data51.length,
j5;if(i12>1){const indices5={};for(;i12--;){let item5=data51[i12];if(typeof item5=="string"){if(typeof indices5[item5]=="number"){j5=indices5[item5];const err150={
instancePath:instancePath+"/spec/dialect/capacityTypes/on-demand/selection/values",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityT\
ypes/properties/on-demand/properties/selection/properties/values/uniqueItems",keyword:"uniqueItems",params:{i:i12,j:j5}};vErrors===null?vErrors=[err150]:vErrors.
push(err150),errors++;break}indices5[item5]=i12}}}}else{const err151={instancePath:instancePath+"/spec/dialect/capacityTypes/on-demand/selection/values",schemaPath:"\
#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/on-demand/properties/selection/properties/values/type",keyword:"type",params:{type:"\
array"}};vErrors===null?vErrors=[err151]:vErrors.push(err151),errors++}}}else{const err152={instancePath:instancePath+"/spec/dialect/capacityTypes/on-demand/sel\
ection",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/on-demand/properties/selection/type",keyword:"type",params:{
type:"object"}};vErrors===null?vErrors=[err152]:vErrors.push(err152),errors++}}if(data47.tolerations!==void 0){let data53=data47.tolerations;if(Array.isArray(data53)){
if(data53.length>32){const err153={instancePath:instancePath+"/spec/dialect/capacityTypes/on-demand/tolerations",schemaPath:"#/properties/spec/properties/dialec\
t/anyOf/1/properties/capacityTypes/properties/on-demand/properties/tolerations/maxItems",keyword:"maxItems",params:{limit:32}};vErrors===null?vErrors=[err153]:vErrors.
push(err153),errors++}const len7=data53.length;for(let i13=0;i13<len7;i13++){let data54=data53[i13];if(data54&&typeof data54=="object"&&!Array.isArray(data54)){
if(data54.key===void 0){const err154={instancePath:instancePath+"/spec/dialect/capacityTypes/on-demand/tolerations/"+i13,schemaPath:"#/properties/spec/propertie\
s/dialect/anyOf/1/properties/capacityTypes/properties/on-demand/properties/tolerations/items/required",keyword:"required",params:{missingProperty:"key"}};vErrors===
null?vErrors=[err154]:vErrors.push(err154),errors++}for(const key18 in data54)if(!(key18==="key"||key18==="operator"||key18==="value"||key18==="effect")){const err155={
instancePath:instancePath+"/spec/dialect/capacityTypes/on-demand/tolerations/"+i13,schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityT\
ypes/properties/on-demand/properties/tolerations/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key18}};vErrors===null?vErrors=
[err155]:vErrors.push(err155),errors++}if(data54.key!==void 0){let data55=data54.key;if(typeof data55=="string"){if(data55.length>316){const err156={instancePath:instancePath+
"/spec/dialect/capacityTypes/on-demand/tolerations/"+i13+"/key",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/on-\
demand/properties/tolerations/items/properties/key/maxLength",keyword:"maxLength",params:{limit:316}};vErrors===null?vErrors=[err156]:vErrors.push(err156),errors++}
if(!pattern11.test(data55)){const err157={instancePath:instancePath+"/spec/dialect/capacityTypes/on-demand/tolerations/"+i13+"/key",schemaPath:"#/properties/spe\
c/properties/dialect/anyOf/1/properties/capacityTypes/properties/on-demand/properties/tolerations/items/properties/key/pattern",keyword:"pattern",params:{pattern:"\
^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$"}};vErrors===null?vErrors=[err157]:vErrors.push(err157),errors++}}else{const err158={
instancePath:instancePath+"/spec/dialect/capacityTypes/on-demand/tolerations/"+i13+"/key",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/ca\
pacityTypes/properties/on-demand/properties/tolerations/items/properties/key/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err158]:vErrors.
push(err158),errors++}}if(data54.operator!==void 0){let data56=data54.operator;if(typeof data56!="string"){const err159={instancePath:instancePath+"/spec/dialec\
t/capacityTypes/on-demand/tolerations/"+i13+"/operator",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/on-demand/p\
roperties/tolerations/items/properties/operator/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err159]:vErrors.push(err159),errors++}if(!(data56===
"Exists"||data56==="Equal")){const err160={instancePath:instancePath+"/spec/dialect/capacityTypes/on-demand/tolerations/"+i13+"/operator",schemaPath:"#/properti\
es/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/on-demand/properties/tolerations/items/properties/operator/enum",keyword:"enum",params:{allowedValues:schema34.
properties.spec.properties.dialect.anyOf[1].properties.capacityTypes.properties["on-demand"].properties.tolerations.items.properties.operator.enum}};vErrors===null?
vErrors=[err160]:vErrors.push(err160),errors++}}if(data54.value!==void 0){let data57=data54.value;if(typeof data57=="string"){if(data57.length>63){const err161={
instancePath:instancePath+"/spec/dialect/capacityTypes/on-demand/tolerations/"+i13+"/value",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/\
capacityTypes/properties/on-demand/properties/tolerations/items/properties/value/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err161]:
vErrors.push(err161),errors++}if(!pattern12.test(data57)){const err162={instancePath:instancePath+"/spec/dialect/capacityTypes/on-demand/tolerations/"+i13+"/val\
ue",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/on-demand/properties/tolerations/items/properties/value/pattern",
keyword:"pattern",params:{pattern:"^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$"}};vErrors===null?vErrors=[err162]:vErrors.push(err162),errors++}}else{const err163={
instancePath:instancePath+"/spec/dialect/capacityTypes/on-demand/tolerations/"+i13+"/value",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/\
capacityTypes/properties/on-demand/properties/tolerations/items/properties/value/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err163]:vErrors.
push(err163),errors++}}if(data54.effect!==void 0){let data58=data54.effect;if(typeof data58!="string"){const err164={instancePath:instancePath+"/spec/dialect/ca\
pacityTypes/on-demand/tolerations/"+i13+"/effect",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/on-demand/propert\
ies/tolerations/items/properties/effect/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err164]:vErrors.push(err164),errors++}if(!(data58===
"NoSchedule"||data58==="PreferNoSchedule"||data58==="NoExecute")){const err165={instancePath:instancePath+"/spec/dialect/capacityTypes/on-demand/tolerations/"+i13+
"/effect",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/on-demand/properties/tolerations/items/properties/effect/\
enum",keyword:"enum",params:{allowedValues:schema34.properties.spec.properties.dialect.anyOf[1].properties.capacityTypes.properties["on-demand"].properties.tolerations.
items.properties.effect.enum}};vErrors===null?vErrors=[err165]:vErrors.push(err165),errors++}}}else{const err166={instancePath:instancePath+"/spec/dialect/capac\
ityTypes/on-demand/tolerations/"+i13,schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/on-demand/properties/toleratio\
ns/items/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err166]:vErrors.push(err166),errors++}}}else{const err167={instancePath:instancePath+
"/spec/dialect/capacityTypes/on-demand/tolerations",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/on-demand/prope\
rties/tolerations/type",keyword:"type",params:{type:"array"}};vErrors===null?vErrors=[err167]:vErrors.push(err167),errors++}}}else{const err168={instancePath:instancePath+
"/spec/dialect/capacityTypes/on-demand",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/on-demand/type",keyword:"ty\
pe",params:{type:"object"}};vErrors===null?vErrors=[err168]:vErrors.push(err168),errors++}}if(data34.spot!==void 0){let data59=data34.spot;if(data59&&typeof data59==
"object"&&!Array.isArray(data59)){for(const key19 in data59)if(!(key19==="selection"||key19==="tolerations")){const err169={instancePath:instancePath+"/spec/dia\
lect/capacityTypes/spot",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/spot/additionalProperties",keyword:"additi\
onalProperties",params:{additionalProperty:key19}};vErrors===null?vErrors=[err169]:vErrors.push(err169),errors++}if(data59.selection!==void 0){let data60=data59.
selection;if(data60&&typeof data60=="object"&&!Array.isArray(data60)){if(data60.key===void 0){const err170={instancePath:instancePath+"/spec/dialect/capacityTyp\
es/spot/selection",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/spot/properties/selection/required",keyword:"req\
uired",params:{missingProperty:"key"}};vErrors===null?vErrors=[err170]:vErrors.push(err170),errors++}for(const key20 in data60)if(!(key20==="key"||key20==="oper\
ator"||key20==="values")){const err171={instancePath:instancePath+"/spec/dialect/capacityTypes/spot/selection",schemaPath:"#/properties/spec/properties/dialect/\
anyOf/1/properties/capacityTypes/properties/spot/properties/selection/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key20}};vErrors===
null?vErrors=[err171]:vErrors.push(err171),errors++}if(data60.key!==void 0){let data61=data60.key;if(typeof data61=="string"){if(data61.length>316){const err172={
instancePath:instancePath+"/spec/dialect/capacityTypes/spot/selection/key",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/pro\
perties/spot/properties/selection/properties/key/maxLength",keyword:"maxLength",params:{limit:316}};vErrors===null?vErrors=[err172]:vErrors.push(err172),errors++}
if(!pattern11.test(data61)){const err173={instancePath:instancePath+"/spec/dialect/capacityTypes/spot/selection/key",schemaPath:"#/properties/spec/properties/di\
alect/anyOf/1/properties/capacityTypes/properties/spot/properties/selection/properties/key/pattern",keyword:"pattern",params:{pattern:"^([a-z0-9]([-a-z0-9.]*[a-\
z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$"}};vErrors===null?vErrors=[err173]:vErrors.push(err173),errors++}}else{const err174={instancePath:instancePath+
"/spec/dialect/capacityTypes/spot/selection/key",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/spot/properties/se\
lection/properties/key/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err174]:vErrors.push(err174),errors++}}if(data60.operator!==void 0){
let data62=data60.operator;if(typeof data62!="string"){const err175={instancePath:instancePath+"/spec/dialect/capacityTypes/spot/selection/operator",schemaPath:"\
#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/spot/properties/selection/properties/operator/type",keyword:"type",params:{type:"\
string"}};vErrors===null?vErrors=[err175]:vErrors.push(err175),errors++}if(!(data62==="In"||data62==="NotIn"||data62==="Exists"||data62==="DoesNotExist")){const err176={
instancePath:instancePath+"/spec/dialect/capacityTypes/spot/selection/operator",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityType\
s/properties/spot/properties/selection/properties/operator/enum",keyword:"enum",params:{allowedValues:schema34.properties.spec.properties.dialect.anyOf[1].properties.
capacityTypes.properties.spot.properties.selection.properties.operator.enum}};vErrors===null?vErrors=[err176]:vErrors.push(err176),errors++}}if(data60.values!==
void 0){let data63=data60.values;if(Array.isArray(data63)){if(data63.length>256){const err177={instancePath:instancePath+"/spec/dialect/capacityTypes/spot/selec\
tion/values",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/spot/properties/selection/properties/values/maxItems",
keyword:"maxItems",params:{limit:256}};vErrors===null?vErrors=[err177]:vErrors.push(err177),errors++}if(data63.length<0){const err178={instancePath:instancePath+
"/spec/dialect/capacityTypes/spot/selection/values",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/spot/properties\
/selection/properties/values/minItems",keyword:"minItems",params:{limit:0}};vErrors===null?vErrors=[err178]:vErrors.push(err178),errors++}const len8=data63.length;
for(let i14=0;i14<len8;i14++){let data64=data63[i14];if(typeof data64=="string"){if(data64.length>63){const err179={instancePath:instancePath+"/spec/dialect/cap\
acityTypes/spot/selection/values/"+i14,schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/spot/properties/selection/pr\
operties/values/items/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err179]:vErrors.push(err179),errors++}if(!pattern12.test(data64)){
const err180={instancePath:instancePath+"/spec/dialect/capacityTypes/spot/selection/values/"+i14,schemaPath:"#/properties/spec/properties/dialect/anyOf/1/proper\
ties/capacityTypes/properties/spot/properties/selection/properties/values/items/pattern",keyword:"pattern",params:{pattern:"^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z\
0-9])?)?$"}};vErrors===null?vErrors=[err180]:vErrors.push(err180),errors++}}else{const err181={instancePath:instancePath+"/spec/dialect/capacityTypes/spot/selec\
tion/values/"+i14,schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/spot/properties/selection/properties/values/items\
/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err181]:vErrors.push(err181),errors++}}let i15=data63.length,j6;if(i15>1){const indices6={};
for(;i15--;){let item6=data63[i15];if(typeof item6=="string"){if(typeof indices6[item6]=="number"){j6=indices6[item6];const err182={instancePath:instancePath+"/\
spec/dialect/capacityTypes/spot/selection/values",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/spot/properties/s\
election/properties/values/uniqueItems",keyword:"uniqueItems",params:{i:i15,j:j6}};vErrors===null?vErrors=[err182]:vErrors.push(err182),errors++;break}indices6[item6]=
i15}}}}else{const err183={instancePath:instancePath+"/spec/dialect/capacityTypes/spot/selection/values",schemaPath:"#/properties/spec/properties/dialect/anyOf/1\
/properties/capacityTypes/properties/spot/properties/selection/properties/values/type",keyword:"type",params:{type:"array"}};vErrors===null?vErrors=[err183]:vErrors.
push(err183),errors++}}}else{const err184={instancePath:instancePath+"/spec/dialect/capacityTypes/spot/selection",schemaPath:"#/properties/spec/properties/diale\
ct/anyOf/1/properties/capacityTypes/properties/spot/properties/selection/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err184]:vErrors.push(
err184),errors++}}if(data59.tolerations!==void 0){let data65=data59.tolerations;if(Array.isArray(data65)){if(data65.length>32){const err185={instancePath:instancePath+
"/spec/dialect/capacityTypes/spot/tolerations",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/spot/properties/tole\
rations/maxItems",keyword:"maxItems",params:{limit:32}};vErrors===null?vErrors=[err185]:vErrors.push(err185),errors++}const len9=data65.length;for(let i16=0;i16<
len9;i16++){let data66=data65[i16];if(data66&&typeof data66=="object"&&!Array.isArray(data66)){if(data66.key===void 0){const err186={instancePath:instancePath+"\
/spec/dialect/capacityTypes/spot/tolerations/"+i16,schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/spot/properties/\
tolerations/items/required",keyword:"required",params:{missingProperty:"key"}};vErrors===null?vErrors=[err186]:vErrors.push(err186),errors++}for(const key21 in data66)
if(!(key21==="key"||key21==="operator"||key21==="value"||key21==="effect")){const err187={instancePath:instancePath+"/spec/dialect/capacityTypes/spot/toleration\
s/"+i16,schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/spot/properties/tolerations/items/additionalProperties",keyword:"\
additionalProperties",params:{additionalProperty:key21}};vErrors===null?vErrors=[err187]:vErrors.push(err187),errors++}if(data66.key!==void 0){let data67=data66.
key;if(typeof data67=="string"){if(data67.length>316){const err188={instancePath:instancePath+"/spec/dialect/capacityTypes/spot/tolerations/"+i16+"/key",schemaPath:"\
#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/spot/properties/tolerations/items/properties/key/maxLength",keyword:"maxLength",
params:{limit:316}};vErrors===null?vErrors=[err188]:vErrors.push(err188),errors++}if(!pattern11.test(data67)){const err189={instancePath:instancePath+"/spec/dia\
lect/capacityTypes/spot/tolerations/"+i16+"/key",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/spot/properties/to\
lerations/items/properties/key/pattern",keyword:"pattern",params:{pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$"}};vErrors===
null?vErrors=[err189]:vErrors.push(err189),errors++}}else{const err190={instancePath:instancePath+"/spec/dialect/capacityTypes/spot/tolerations/"+i16+"/key",schemaPath:"\
#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/spot/properties/tolerations/items/properties/key/type",keyword:"type",params:{type:"\
string"}};vErrors===null?vErrors=[err190]:vErrors.push(err190),errors++}}if(data66.operator!==void 0){let data68=data66.operator;if(typeof data68!="string"){const err191={
instancePath:instancePath+"/spec/dialect/capacityTypes/spot/tolerations/"+i16+"/operator",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/ca\
pacityTypes/properties/spot/properties/tolerations/items/properties/operator/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err191]:vErrors.
push(err191),errors++}if(!(data68==="Exists"||data68==="Equal")){const err192={instancePath:instancePath+"/spec/dialect/capacityTypes/spot/tolerations/"+i16+"/o\
perator",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/spot/properties/tolerations/items/properties/operator/enum",
keyword:"enum",params:{allowedValues:schema34.properties.spec.properties.dialect.anyOf[1].properties.capacityTypes.properties.spot.properties.tolerations.items.
properties.operator.enum}};vErrors===null?vErrors=[err192]:vErrors.push(err192),errors++}}if(data66.value!==void 0){let data69=data66.value;if(typeof data69=="s\
tring"){if(data69.length>63){const err193={instancePath:instancePath+"/spec/dialect/capacityTypes/spot/tolerations/"+i16+"/value",schemaPath:"#/properties/spec/\
properties/dialect/anyOf/1/properties/capacityTypes/properties/spot/properties/tolerations/items/properties/value/maxLength",keyword:"maxLength",params:{limit:63}};
vErrors===null?vErrors=[err193]:vErrors.push(err193),errors++}if(!pattern12.test(data69)){const err194={instancePath:instancePath+"/spec/dialect/capacityTypes/s\
pot/tolerations/"+i16+"/value",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/spot/properties/tolerations/items/pr\
operties/value/pattern",keyword:"pattern",params:{pattern:"^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$"}};vErrors===null?vErrors=[err194]:vErrors.push(err194),
errors++}}else{const err195={instancePath:instancePath+"/spec/dialect/capacityTypes/spot/tolerations/"+i16+"/value",schemaPath:"#/properties/spec/properties/dia\
lect/anyOf/1/properties/capacityTypes/properties/spot/properties/tolerations/items/properties/value/type",keyword:"type",params:{type:"string"}};vErrors===null?
vErrors=[err195]:vErrors.push(err195),errors++}}if(data66.effect!==void 0){let data70=data66.effect;if(typeof data70!="string"){const err196={instancePath:instancePath+
"/spec/dialect/capacityTypes/spot/tolerations/"+i16+"/effect",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/spot/\
properties/tolerations/items/properties/effect/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err196]:vErrors.push(err196),errors++}if(!(data70===
"NoSchedule"||data70==="PreferNoSchedule"||data70==="NoExecute")){const err197={instancePath:instancePath+"/spec/dialect/capacityTypes/spot/tolerations/"+i16+"/\
effect",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/spot/properties/tolerations/items/properties/effect/enum",keyword:"\
enum",params:{allowedValues:schema34.properties.spec.properties.dialect.anyOf[1].properties.capacityTypes.properties.spot.properties.tolerations.items.properties.
effect.enum}};vErrors===null?vErrors=[err197]:vErrors.push(err197),errors++}}}else{const err198={instancePath:instancePath+"/spec/dialect/capacityTypes/spot/tol\
erations/"+i16,schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/spot/properties/tolerations/items/type",keyword:"typ\
e",params:{type:"object"}};vErrors===null?vErrors=[err198]:vErrors.push(err198),errors++}}}else{const err199={instancePath:instancePath+"/spec/dialect/capacityT\
ypes/spot/tolerations",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/spot/properties/tolerations/type",keyword:"t\
ype",params:{type:"array"}};vErrors===null?vErrors=[err199]:vErrors.push(err199),errors++}}}else{const err200={instancePath:instancePath+"/spec/dialect/capacity\
Types/spot",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/capacityTypes/properties/spot/type",keyword:"type",params:{type:"object"}};vErrors===
null?vErrors=[err200]:vErrors.push(err200),errors++}}}else{const err201={instancePath:instancePath+"/spec/dialect/capacityTypes",schemaPath:"#/properties/spec/p\
roperties/dialect/anyOf/1/properties/capacityTypes/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err201]:vErrors.push(err201),errors++}}if(data31.
acceleratorTolerations!==void 0){let data71=data31.acceleratorTolerations;if(Array.isArray(data71)){if(data71.length>32){const err202={instancePath:instancePath+
"/spec/dialect/acceleratorTolerations",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/acceleratorTolerations/maxItems",keyword:"maxItems",params:{
limit:32}};vErrors===null?vErrors=[err202]:vErrors.push(err202),errors++}const len10=data71.length;for(let i17=0;i17<len10;i17++){let data72=data71[i17];if(data72&&
typeof data72=="object"&&!Array.isArray(data72)){if(data72.key===void 0){const err203={instancePath:instancePath+"/spec/dialect/acceleratorTolerations/"+i17,schemaPath:"\
#/properties/spec/properties/dialect/anyOf/1/properties/acceleratorTolerations/items/required",keyword:"required",params:{missingProperty:"key"}};vErrors===null?
vErrors=[err203]:vErrors.push(err203),errors++}for(const key22 in data72)if(!(key22==="key"||key22==="operator"||key22==="value"||key22==="effect")){const err204={
instancePath:instancePath+"/spec/dialect/acceleratorTolerations/"+i17,schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/acceleratorTolerations\
/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key22}};vErrors===null?vErrors=[err204]:vErrors.push(err204),errors++}if(data72.
key!==void 0){let data73=data72.key;if(typeof data73=="string"){if(data73.length>316){const err205={instancePath:instancePath+"/spec/dialect/acceleratorTolerati\
ons/"+i17+"/key",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/acceleratorTolerations/items/properties/key/maxLength",keyword:"maxLength",
params:{limit:316}};vErrors===null?vErrors=[err205]:vErrors.push(err205),errors++}if(!pattern11.test(data73)){const err206={instancePath:instancePath+"/spec/dia\
lect/acceleratorTolerations/"+i17+"/key",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/acceleratorTolerations/items/properties/key/pattern",
keyword:"pattern",params:{pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$"}};vErrors===null?vErrors=[err206]:vErrors.push(
err206),errors++}}else{const err207={instancePath:instancePath+"/spec/dialect/acceleratorTolerations/"+i17+"/key",schemaPath:"#/properties/spec/properties/diale\
ct/anyOf/1/properties/acceleratorTolerations/items/properties/key/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err207]:vErrors.push(err207),
errors++}}if(data72.operator!==void 0){let data74=data72.operator;if(typeof data74!="string"){const err208={instancePath:instancePath+"/spec/dialect/accelerator\
Tolerations/"+i17+"/operator",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/acceleratorTolerations/items/properties/operator/type",keyword:"\
type",params:{type:"string"}};vErrors===null?vErrors=[err208]:vErrors.push(err208),errors++}if(!(data74==="Exists"||data74==="Equal")){const err209={instancePath:instancePath+
"/spec/dialect/acceleratorTolerations/"+i17+"/operator",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/acceleratorTolerations/items/propert\
ies/operator/enum",keyword:"enum",params:{allowedValues:schema34.properties.spec.properties.dialect.anyOf[1].properties.acceleratorTolerations.items.properties.
operator.enum}};vErrors===null?vErrors=[err209]:vErrors.push(err209),errors++}}if(data72.value!==void 0){let data75=data72.value;if(typeof data75=="string"){if(data75.
length>63){const err210={instancePath:instancePath+"/spec/dialect/acceleratorTolerations/"+i17+"/value",schemaPath:"#/properties/spec/properties/dialect/anyOf/1\
/properties/acceleratorTolerations/items/properties/value/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err210]:vErrors.push(err210),
errors++}if(!pattern12.test(data75)){const err211={instancePath:instancePath+"/spec/dialect/acceleratorTolerations/"+i17+"/value",schemaPath:"#/properties/spec/\
properties/dialect/anyOf/1/properties/acceleratorTolerations/items/properties/value/pattern",keyword:"pattern",params:{pattern:"^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-\
Za-z0-9])?)?$"}};vErrors===null?vErrors=[err211]:vErrors.push(err211),errors++}}else{const err212={instancePath:instancePath+"/spec/dialect/acceleratorToleratio\
ns/"+i17+"/value",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/acceleratorTolerations/items/properties/value/type",keyword:"type",params:{
type:"string"}};vErrors===null?vErrors=[err212]:vErrors.push(err212),errors++}}if(data72.effect!==void 0){let data76=data72.effect;if(typeof data76!="string"){const err213={
instancePath:instancePath+"/spec/dialect/acceleratorTolerations/"+i17+"/effect",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/acceleratorT\
olerations/items/properties/effect/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err213]:vErrors.push(err213),errors++}if(!(data76==="NoS\
chedule"||data76==="PreferNoSchedule"||data76==="NoExecute")){const err214={instancePath:instancePath+"/spec/dialect/acceleratorTolerations/"+i17+"/effect",schemaPath:"\
#/properties/spec/properties/dialect/anyOf/1/properties/acceleratorTolerations/items/properties/effect/enum",keyword:"enum",params:{allowedValues:schema34.properties.
spec.properties.dialect.anyOf[1].properties.acceleratorTolerations.items.properties.effect.enum}};vErrors===null?vErrors=[err214]:vErrors.push(err214),errors++}}}else{
const err215={instancePath:instancePath+"/spec/dialect/acceleratorTolerations/"+i17,schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/accelera\
torTolerations/items/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err215]:vErrors.push(err215),errors++}}}else{const err216={instancePath:instancePath+
"/spec/dialect/acceleratorTolerations",schemaPath:"#/properties/spec/properties/dialect/anyOf/1/properties/acceleratorTolerations/type",keyword:"type",params:{type:"\
array"}};vErrors===null?vErrors=[err216]:vErrors.push(err216),errors++}}}else{const err217={instancePath:instancePath+"/spec/dialect",schemaPath:"#/properties/s\
pec/properties/dialect/anyOf/1/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err217]:vErrors.push(err217),errors++}var _valid0=_errs77===
errors;if(valid20=valid20||_valid0,valid20)errors=_errs74,vErrors!==null&&(_errs74?vErrors.length=_errs74:vErrors=null);else{const err218={instancePath:instancePath+
"/spec/dialect",schemaPath:"#/properties/spec/properties/dialect/anyOf",keyword:"anyOf",params:{}};vErrors===null?vErrors=[err218]:vErrors.push(err218),errors++}}
if(data4.layout!==void 0){let data77=data4.layout;if(typeof data77=="string"){if(data77.length>63){const err219={instancePath:instancePath+"/spec/layout",schemaPath:"\
#/properties/spec/properties/layout/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err219]:vErrors.push(err219),errors++}if(!pattern10.
test(data77)){const err220={instancePath:instancePath+"/spec/layout",schemaPath:"#/properties/spec/properties/layout/pattern",keyword:"pattern",params:{pattern:"\
^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}};vErrors===null?vErrors=[err220]:vErrors.push(err220),errors++}}else{const err221={instancePath:instancePath+"/spec/layout",schemaPath:"\
#/properties/spec/properties/layout/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err221]:vErrors.push(err221),errors++}}if(data4.companions!==
void 0){let data78=data4.companions;if(data78&&typeof data78=="object"&&!Array.isArray(data78)){for(const key23 in data78)if(!(key23==="resourceClaimTemplates"||
key23==="podDisruptionBudgets"||key23==="podTemplates"||key23==="provisioningRequests"||key23==="podGroups")){const err222={instancePath:instancePath+"/spec/com\
panions",schemaPath:"#/properties/spec/properties/companions/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key23}};vErrors===null?
vErrors=[err222]:vErrors.push(err222),errors++}if(data78.resourceClaimTemplates!==void 0&&typeof data78.resourceClaimTemplates!="boolean"){const err223={instancePath:instancePath+
"/spec/companions/resourceClaimTemplates",schemaPath:"#/properties/spec/properties/companions/properties/resourceClaimTemplates/type",keyword:"type",params:{type:"\
boolean"}};vErrors===null?vErrors=[err223]:vErrors.push(err223),errors++}if(data78.podDisruptionBudgets!==void 0&&typeof data78.podDisruptionBudgets!="boolean"){
const err224={instancePath:instancePath+"/spec/companions/podDisruptionBudgets",schemaPath:"#/properties/spec/properties/companions/properties/podDisruptionBudg\
ets/type",keyword:"type",params:{type:"boolean"}};vErrors===null?vErrors=[err224]:vErrors.push(err224),errors++}if(data78.podTemplates!==void 0&&typeof data78.podTemplates!=
"boolean"){const err225={instancePath:instancePath+"/spec/companions/podTemplates",schemaPath:"#/properties/spec/properties/companions/properties/podTemplates/t\
ype",keyword:"type",params:{type:"boolean"}};vErrors===null?vErrors=[err225]:vErrors.push(err225),errors++}if(data78.provisioningRequests!==void 0&&typeof data78.
provisioningRequests!="boolean"){const err226={instancePath:instancePath+"/spec/companions/provisioningRequests",schemaPath:"#/properties/spec/properties/compan\
ions/properties/provisioningRequests/type",keyword:"type",params:{type:"boolean"}};vErrors===null?vErrors=[err226]:vErrors.push(err226),errors++}if(data78.podGroups!==
void 0&&typeof data78.podGroups!="boolean"){const err227={instancePath:instancePath+"/spec/companions/podGroups",schemaPath:"#/properties/spec/properties/compan\
ions/properties/podGroups/type",keyword:"type",params:{type:"boolean"}};vErrors===null?vErrors=[err227]:vErrors.push(err227),errors++}}else{const err228={instancePath:instancePath+
"/spec/companions",schemaPath:"#/properties/spec/properties/companions/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err228]:vErrors.push(
err228),errors++}}if(data4.supply!==void 0){let data84=data4.supply;if(data84&&typeof data84=="object"&&!Array.isArray(data84)){for(const key24 in data84)if(!(key24===
"nodes"||key24==="pools")){const err229={instancePath:instancePath+"/spec/supply",schemaPath:"#/properties/spec/properties/supply/additionalProperties",keyword:"\
additionalProperties",params:{additionalProperty:key24}};vErrors===null?vErrors=[err229]:vErrors.push(err229),errors++}if(data84.nodes!==void 0){let data85=data84.
nodes;if(typeof data85!="string"){const err230={instancePath:instancePath+"/spec/supply/nodes",schemaPath:"#/properties/spec/properties/supply/properties/nodes/\
type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err230]:vErrors.push(err230),errors++}if(!(data85==="complete"||data85==="partial")){const err231={
instancePath:instancePath+"/spec/supply/nodes",schemaPath:"#/properties/spec/properties/supply/properties/nodes/enum",keyword:"enum",params:{allowedValues:schema34.
properties.spec.properties.supply.properties.nodes.enum}};vErrors===null?vErrors=[err231]:vErrors.push(err231),errors++}}if(data84.pools!==void 0){let data86=data84.
pools;if(typeof data86!="string"){const err232={instancePath:instancePath+"/spec/supply/pools",schemaPath:"#/properties/spec/properties/supply/properties/pools/\
type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err232]:vErrors.push(err232),errors++}if(!(data86==="complete"||data86==="partial")){const err233={
instancePath:instancePath+"/spec/supply/pools",schemaPath:"#/properties/spec/properties/supply/properties/pools/enum",keyword:"enum",params:{allowedValues:schema34.
properties.spec.properties.supply.properties.pools.enum}};vErrors===null?vErrors=[err233]:vErrors.push(err233),errors++}}}else{const err234={instancePath:instancePath+
"/spec/supply",schemaPath:"#/properties/spec/properties/supply/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err234]:vErrors.push(err234),
errors++}}if(data4.reclaimNotice!==void 0){let data87=data4.reclaimNotice;if(data87&&typeof data87=="object"&&!Array.isArray(data87)){for(const key25 in data87)
if(!(key25==="reserved"||key25==="on-demand"||key25==="spot")){const err235={instancePath:instancePath+"/spec/reclaimNotice",schemaPath:"#/properties/spec/prope\
rties/reclaimNotice/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key25}};vErrors===null?vErrors=[err235]:vErrors.push(err235),
errors++}if(data87.reserved!==void 0){let data88=data87.reserved;if(typeof data88=="string"){if(data88.length>32){const err236={instancePath:instancePath+"/spec\
/reclaimNotice/reserved",schemaPath:"#/properties/spec/properties/reclaimNotice/properties/reserved/maxLength",keyword:"maxLength",params:{limit:32}};vErrors===
null?vErrors=[err236]:vErrors.push(err236),errors++}if(!pattern3.test(data88)){const err237={instancePath:instancePath+"/spec/reclaimNotice/reserved",schemaPath:"\
#/properties/spec/properties/reclaimNotice/properties/reserved/pattern",keyword:"pattern",params:{pattern:"^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$"}};vErrors===null?vErrors=
[err237]:vErrors.push(err237),errors++}}else{const err238={instancePath:instancePath+"/spec/reclaimNotice/reserved",schemaPath:"#/properties/spec/properties/rec\
laimNotice/properties/reserved/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err238]:vErrors.push(err238),errors++}}if(data87["on-demand"]!==
void 0){let data89=data87["on-demand"];if(typeof data89=="string"){if(data89.length>32){const err239={instancePath:instancePath+"/spec/reclaimNotice/on-demand",
schemaPath:"#/properties/spec/properties/reclaimNotice/properties/on-demand/maxLength",keyword:"maxLength",params:{limit:32}};vErrors===null?vErrors=[err239]:vErrors.
push(err239),errors++}if(!pattern3.test(data89)){const err240={instancePath:instancePath+"/spec/reclaimNotice/on-demand",schemaPath:"#/properties/spec/propertie\
s/reclaimNotice/properties/on-demand/pattern",keyword:"pattern",params:{pattern:"^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$"}};vErrors===null?vErrors=[err240]:vErrors.push(
err240),errors++}}else{const err241={instancePath:instancePath+"/spec/reclaimNotice/on-demand",schemaPath:"#/properties/spec/properties/reclaimNotice/properties\
/on-demand/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err241]:vErrors.push(err241),errors++}}if(data87.spot!==void 0){let data90=data87.
spot;if(typeof data90=="string"){if(data90.length>32){const err242={instancePath:instancePath+"/spec/reclaimNotice/spot",schemaPath:"#/properties/spec/propertie\
s/reclaimNotice/properties/spot/maxLength",keyword:"maxLength",params:{limit:32}};vErrors===null?vErrors=[err242]:vErrors.push(err242),errors++}if(!pattern3.test(
data90)){const err243={instancePath:instancePath+"/spec/reclaimNotice/spot",schemaPath:"#/properties/spec/properties/reclaimNotice/properties/spot/pattern",keyword:"\
pattern",params:{pattern:"^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$"}};vErrors===null?vErrors=[err243]:vErrors.push(err243),errors++}}else{const err244={instancePath:instancePath+
"/spec/reclaimNotice/spot",schemaPath:"#/properties/spec/properties/reclaimNotice/properties/spot/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=
[err244]:vErrors.push(err244),errors++}}}else{const err245={instancePath:instancePath+"/spec/reclaimNotice",schemaPath:"#/properties/spec/properties/reclaimNoti\
ce/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err245]:vErrors.push(err245),errors++}}}else{const err246={instancePath:instancePath+"/s\
pec",schemaPath:"#/properties/spec/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err246]:vErrors.push(err246),errors++}}}else{const err247={
instancePath,schemaPath:"#/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err247]:vErrors.push(err247),errors++}return validate88.errors=vErrors,
errors===0}validate88.evaluated={props:!0,dynamicProps:!1,dynamicItems:!1};const WorkloadKind=validate89,schema35={$id:"https://plimsoll.dev/v1alpha1/WorkloadKi\
nd.json",type:"object",properties:{apiVersion:{const:"plimsoll.dev/v1alpha1"},kind:{const:"WorkloadKind"},metadata:{type:"object",properties:{name:{type:"string",
pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",maxLength:63}},required:["name"],additionalProperties:!1},spec:{type:"object",properties:{apiVersion:{type:"string",pattern:"\
^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?v[a-z0-9]+$",maxLength:316},kind:{type:"string",pattern:"^[A-Z][A-Za-z0-9]*$",maxLength:63},plural:{type:"string",pattern:"^[\
a-z][a-z0-9]*$",maxLength:63},versions:{type:"array",items:{type:"string",pattern:"^v[a-z0-9]+$",maxLength:63},minItems:0,maxItems:256,uniqueItems:!0},life:{type:"\
string",enum:["runOnce","elastic","perNode","templateOnly","derived"]},makes:{type:"array",items:{type:"string",pattern:"^[^/]*/[A-Z][A-Za-z0-9]*$",maxLength:253},
minItems:0,maxItems:256,uniqueItems:!0},templates:{type:"array",items:{type:"object",properties:{role:{type:"string",pattern:"^[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0\
-9])?$",maxLength:63},path:{type:"string",minLength:1,maxLength:500},shape:{type:"string",enum:["Pod","PodTemplateSpec","PodSpec","inline"]},count:{type:"string",
minLength:1,maxLength:2e3},minimum:{type:"string",minLength:1,maxLength:2e3},peak:{type:"string",minLength:1,maxLength:2e3},name:{type:"string",minLength:1,maxLength:2e3},
base:{type:"string",minLength:1,maxLength:500},when:{type:"string",minLength:1,maxLength:2e3},optional:{type:"boolean"},absentMeansNone:{type:"boolean"},labels:{
type:["string","null"],maxLength:500},annotations:{type:["string","null"],maxLength:500},fields:{type:"object",properties:{labels:{type:["string","null"],maxLength:500},
annotations:{type:["string","null"],maxLength:500},nodeSelector:{type:["string","null"],maxLength:500},affinity:{type:["string","null"],maxLength:500},tolerations:{
type:["string","null"],maxLength:500},topologySpreadConstraints:{type:["string","null"],maxLength:500},resourceClaims:{type:["string","null"],maxLength:500},containerResources:{
type:["string","null"],maxLength:500},containerClaims:{type:["string","null"],maxLength:500},priorityClassName:{type:["string","null"],maxLength:500},terminationGracePeriodSeconds:{
type:["string","null"],maxLength:500},schedulingGroup:{type:["string","null"],maxLength:500}},additionalProperties:!1},outside:{type:"object",properties:{container:{
type:"string",minLength:1,maxLength:63},cpu:{type:"string",minLength:1,maxLength:500},memory:{type:"string",minLength:1,maxLength:500},gpu:{type:"string",minLength:1,
maxLength:500},dialect:{type:"string",enum:["kubernetes","jvm"]}},required:["container"],additionalProperties:!1},interrupt:{type:"string",enum:["never","avoid",
"allowed"]},groupSize:{type:"string",minLength:1,maxLength:2e3}},required:["role","path","count"],additionalProperties:!1},minItems:1,maxItems:16},gangLabel:{type:"\
string",pattern:"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$",maxLength:316},suspend:{type:"string",minLength:1,maxLength:500},
scale:{type:"boolean"},childAnnotations:{type:"string",minLength:1,maxLength:500},mutability:{type:"object",properties:{template:{type:"string",enum:["always","\
never","suspended","gated"]},except:{type:"array",items:{type:"string",enum:["labels","annotations","nodeSelector","affinity","tolerations","topologySpreadConst\
raints","resourceClaims","containerResources","containerClaims","priorityClassName","terminationGracePeriodSeconds","schedulingGroup"]},minItems:0,maxItems:256,
uniqueItems:!0}},required:["template"],additionalProperties:!1},minimum:{type:"string",minLength:1,maxLength:2e3},peak:{type:"string",minLength:1,maxLength:2e3}},
required:["apiVersion","kind","plural","life","templates"],additionalProperties:!1}},required:["apiVersion","kind","metadata","spec"],additionalProperties:!1},pattern97=new RegExp(
"^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?v[a-z0-9]+$","u"),pattern99=new RegExp("^[a-z][a-z0-9]*$","u"),pattern100=new RegExp("^v[a-z0-9]+$","u"),pattern101=new RegExp(
"^[^/]*/[A-Z][A-Za-z0-9]*$","u");function validate89(data,{instancePath="",parentData,parentDataProperty,rootData=data,dynamicAnchors={}}={}){let vErrors=null,errors=0;
const evaluated0=validate89.evaluated;if(evaluated0.dynamicProps&&(evaluated0.props=void 0),evaluated0.dynamicItems&&(evaluated0.items=void 0),data&&typeof data==
"object"&&!Array.isArray(data)){if(data.apiVersion===void 0){const err0={instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty:"apiVer\
sion"}};vErrors===null?vErrors=[err0]:vErrors.push(err0),errors++}if(data.kind===void 0){const err1={instancePath,schemaPath:"#/required",keyword:"required",params:{
missingProperty:"kind"}};vErrors===null?vErrors=[err1]:vErrors.push(err1),errors++}if(data.metadata===void 0){const err2={instancePath,schemaPath:"#/required",keyword:"\
required",params:{missingProperty:"metadata"}};vErrors===null?vErrors=[err2]:vErrors.push(err2),errors++}if(data.spec===void 0){const err3={instancePath,schemaPath:"\
#/required",keyword:"required",params:{missingProperty:"spec"}};vErrors===null?vErrors=[err3]:vErrors.push(err3),errors++}for(const key0 in data)if(!(key0==="ap\
iVersion"||key0==="kind"||key0==="metadata"||key0==="spec")){const err4={instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{
additionalProperty:key0}};vErrors===null?vErrors=[err4]:vErrors.push(err4),errors++}if(data.apiVersion!==void 0&&data.apiVersion!=="plimsoll.dev/v1alpha1"){const err5={
instancePath:instancePath+"/apiVersion",schemaPath:"#/properties/apiVersion/const",keyword:"const",params:{allowedValue:"plimsoll.dev/v1alpha1"}};vErrors===null?
vErrors=[err5]:vErrors.push(err5),errors++}if(data.kind!==void 0&&data.kind!=="WorkloadKind"){const err6={instancePath:instancePath+"/kind",schemaPath:"#/proper\
ties/kind/const",keyword:"const",params:{allowedValue:"WorkloadKind"}};vErrors===null?vErrors=[err6]:vErrors.push(err6),errors++}if(data.metadata!==void 0){let data2=data.
metadata;if(data2&&typeof data2=="object"&&!Array.isArray(data2)){if(data2.name===void 0){const err7={instancePath:instancePath+"/metadata",schemaPath:"#/proper\
ties/metadata/required",keyword:"required",params:{missingProperty:"name"}};vErrors===null?vErrors=[err7]:vErrors.push(err7),errors++}for(const key1 in data2)if(key1!==
"name"){const err8={instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key1}};
vErrors===null?vErrors=[err8]:vErrors.push(err8),errors++}if(data2.name!==void 0){let data3=data2.name;if(typeof data3=="string"){if(data3.length>63){const err9={
instancePath:instancePath+"/metadata/name",schemaPath:"#/properties/metadata/properties/name/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=
[err9]:vErrors.push(err9),errors++}if(!pattern10.test(data3)){const err10={instancePath:instancePath+"/metadata/name",schemaPath:"#/properties/metadata/properti\
es/name/pattern",keyword:"pattern",params:{pattern:"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}};vErrors===null?vErrors=[err10]:vErrors.push(err10),errors++}}else{const err11={
instancePath:instancePath+"/metadata/name",schemaPath:"#/properties/metadata/properties/name/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=
[err11]:vErrors.push(err11),errors++}}}else{const err12={instancePath:instancePath+"/metadata",schemaPath:"#/properties/metadata/type",keyword:"type",params:{type:"\
object"}};vErrors===null?vErrors=[err12]:vErrors.push(err12),errors++}}if(data.spec!==void 0){let data4=data.spec;if(data4&&typeof data4=="object"&&!Array.isArray(
data4)){if(data4.apiVersion===void 0){const err13={instancePath:instancePath+"/spec",schemaPath:"#/properties/spec/required",keyword:"required",params:{missingProperty:"\
apiVersion"}};vErrors===null?vErrors=[err13]:vErrors.push(err13),errors++}if(data4.kind===void 0){const err14={instancePath:instancePath+"/spec",schemaPath:"#/p\
roperties/spec/required",keyword:"required",params:{missingProperty:"kind"}};vErrors===null?vErrors=[err14]:vErrors.push(err14),errors++}if(data4.plural===void 0){
const err15={instancePath:instancePath+"/spec",schemaPath:"#/properties/spec/required",keyword:"required",params:{missingProperty:"plural"}};vErrors===null?vErrors=
[err15]:vErrors.push(err15),errors++}if(data4.life===void 0){const err16={instancePath:instancePath+"/spec",schemaPath:"#/properties/spec/required",keyword:"req\
uired",params:{missingProperty:"life"}};vErrors===null?vErrors=[err16]:vErrors.push(err16),errors++}if(data4.templates===void 0){const err17={instancePath:instancePath+
"/spec",schemaPath:"#/properties/spec/required",keyword:"required",params:{missingProperty:"templates"}};vErrors===null?vErrors=[err17]:vErrors.push(err17),errors++}
for(const key2 in data4)if(!func1.call(schema35.properties.spec.properties,key2)){const err18={instancePath:instancePath+"/spec",schemaPath:"#/properties/spec/a\
dditionalProperties",keyword:"additionalProperties",params:{additionalProperty:key2}};vErrors===null?vErrors=[err18]:vErrors.push(err18),errors++}if(data4.apiVersion!==
void 0){let data5=data4.apiVersion;if(typeof data5=="string"){if(data5.length>316){const err19={instancePath:instancePath+"/spec/apiVersion",schemaPath:"#/prope\
rties/spec/properties/apiVersion/maxLength",keyword:"maxLength",params:{limit:316}};vErrors===null?vErrors=[err19]:vErrors.push(err19),errors++}if(!pattern97.test(
data5)){const err20={instancePath:instancePath+"/spec/apiVersion",schemaPath:"#/properties/spec/properties/apiVersion/pattern",keyword:"pattern",params:{pattern:"\
^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?v[a-z0-9]+$"}};vErrors===null?vErrors=[err20]:vErrors.push(err20),errors++}}else{const err21={instancePath:instancePath+"/spe\
c/apiVersion",schemaPath:"#/properties/spec/properties/apiVersion/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err21]:vErrors.push(err21),
errors++}}if(data4.kind!==void 0){let data6=data4.kind;if(typeof data6=="string"){if(data6.length>63){const err22={instancePath:instancePath+"/spec/kind",schemaPath:"\
#/properties/spec/properties/kind/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err22]:vErrors.push(err22),errors++}if(!pattern69.test(
data6)){const err23={instancePath:instancePath+"/spec/kind",schemaPath:"#/properties/spec/properties/kind/pattern",keyword:"pattern",params:{pattern:"^[A-Z][A-Z\
a-z0-9]*$"}};vErrors===null?vErrors=[err23]:vErrors.push(err23),errors++}}else{const err24={instancePath:instancePath+"/spec/kind",schemaPath:"#/properties/spec\
/properties/kind/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err24]:vErrors.push(err24),errors++}}if(data4.plural!==void 0){let data7=data4.
plural;if(typeof data7=="string"){if(data7.length>63){const err25={instancePath:instancePath+"/spec/plural",schemaPath:"#/properties/spec/properties/plural/maxL\
ength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err25]:vErrors.push(err25),errors++}if(!pattern99.test(data7)){const err26={instancePath:instancePath+
"/spec/plural",schemaPath:"#/properties/spec/properties/plural/pattern",keyword:"pattern",params:{pattern:"^[a-z][a-z0-9]*$"}};vErrors===null?vErrors=[err26]:vErrors.
push(err26),errors++}}else{const err27={instancePath:instancePath+"/spec/plural",schemaPath:"#/properties/spec/properties/plural/type",keyword:"type",params:{type:"\
string"}};vErrors===null?vErrors=[err27]:vErrors.push(err27),errors++}}if(data4.versions!==void 0){let data8=data4.versions;if(Array.isArray(data8)){if(data8.length>
256){const err28={instancePath:instancePath+"/spec/versions",schemaPath:"#/properties/spec/properties/versions/maxItems",keyword:"maxItems",params:{limit:256}};
vErrors===null?vErrors=[err28]:vErrors.push(err28),errors++}if(data8.length<0){const err29={instancePath:instancePath+"/spec/versions",schemaPath:"#/properties/\
spec/properties/versions/minItems",keyword:"minItems",params:{limit:0}};vErrors===null?vErrors=[err29]:vErrors.push(err29),errors++}const len0=data8.length;for(let i0=0;i0<
len0;i0++){let data9=data8[i0];if(typeof data9=="string"){if(data9.length>63){const err30={instancePath:instancePath+"/spec/versions/"+i0,schemaPath:"#/properti\
es/spec/properties/versions/items/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err30]:vErrors.push(err30),errors++}if(!pattern100.test(
data9)){const err31={instancePath:instancePath+"/spec/versions/"+i0,schemaPath:"#/properties/spec/properties/versions/items/pattern",keyword:"pattern",params:{pattern:"\
^v[a-z0-9]+$"}};vErrors===null?vErrors=[err31]:vErrors.push(err31),errors++}}else{const err32={instancePath:instancePath+"/spec/versions/"+i0,schemaPath:"#/prop\
erties/spec/properties/versions/items/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err32]:vErrors.push(err32),errors++}}let i1=data8.length,
j0;if(i1>1){const indices0={};for(;i1--;){let item0=data8[i1];if(typeof item0=="string"){if(typeof indices0[item0]=="number"){j0=indices0[item0];const err33={instancePath:instancePath+
"/spec/versions",schemaPath:"#/properties/spec/properties/versions/uniqueItems",keyword:"uniqueItems",params:{i:i1,j:j0}};vErrors===null?vErrors=[err33]:vErrors.
push(err33),errors++;break}indices0[item0]=i1}}}}else{const err34={instancePath:instancePath+"/spec/versions",schemaPath:"#/properties/spec/properties/versions/\
type",keyword:"type",params:{type:"array"}};vErrors===null?vErrors=[err34]:vErrors.push(err34),errors++}}if(data4.life!==void 0){let data10=data4.life;if(typeof data10!=
"string"){const err35={instancePath:instancePath+"/spec/life",schemaPath:"#/properties/spec/properties/life/type",keyword:"type",params:{type:"string"}};vErrors===
null?vErrors=[err35]:vErrors.push(err35),errors++}if(!(data10==="runOnce"||data10==="elastic"||data10==="perNode"||data10==="templateOnly"||data10==="derived")){
const err36={instancePath:instancePath+"/spec/life",schemaPath:"#/properties/spec/properties/life/enum",keyword:"enum",params:{allowedValues:schema35.properties.
spec.properties.life.enum}};vErrors===null?vErrors=[err36]:vErrors.push(err36),errors++}}if(data4.makes!==void 0){let data11=data4.makes;if(Array.isArray(data11)){
if(data11.length>256){const err37={instancePath:instancePath+"/spec/makes",schemaPath:"#/properties/spec/properties/makes/maxItems",keyword:"maxItems",params:{limit:256}};
vErrors===null?vErrors=[err37]:vErrors.push(err37),errors++}if(data11.length<0){const err38={instancePath:instancePath+"/spec/makes",schemaPath:"#/properties/sp\
ec/properties/makes/minItems",keyword:"minItems",params:{limit:0}};vErrors===null?vErrors=[err38]:vErrors.push(err38),errors++}const len1=data11.length;for(let i2=0;i2<
len1;i2++){let data12=data11[i2];if(typeof data12=="string"){if(data12.length>253){const err39={instancePath:instancePath+"/spec/makes/"+i2,schemaPath:"#/proper\
ties/spec/properties/makes/items/maxLength",keyword:"maxLength",params:{limit:253}};vErrors===null?vErrors=[err39]:vErrors.push(err39),errors++}if(!pattern101.test(
data12)){const err40={instancePath:instancePath+"/spec/makes/"+i2,schemaPath:"#/properties/spec/properties/makes/items/pattern",keyword:"pattern",params:{pattern:"\
^[^/]*/[A-Z][A-Za-z0-9]*$"}};vErrors===null?vErrors=[err40]:vErrors.push(err40),errors++}}else{const err41={instancePath:instancePath+"/spec/makes/"+i2,schemaPath:"\
#/properties/spec/properties/makes/items/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err41]:vErrors.push(err41),errors++}}let i3=data11.
length,j1;if(i3>1){const indices1={};for(;i3--;){let item1=data11[i3];if(typeof item1=="string"){if(typeof indices1[item1]=="number"){j1=indices1[item1];const err42={
instancePath:instancePath+"/spec/makes",schemaPath:"#/properties/spec/properties/makes/uniqueItems",keyword:"uniqueItems",params:{i:i3,j:j1}};vErrors===null?vErrors=
[err42]:vErrors.push(err42),errors++;break}indices1[item1]=i3}}}}else{const err43={instancePath:instancePath+"/spec/makes",schemaPath:"#/properties/spec/propert\
ies/makes/type",keyword:"type",params:{type:"array"}};vErrors===null?vErrors=[err43]:vErrors.push(err43),errors++}}if(data4.templates!==void 0){let data13=data4.
templates;if(Array.isArray(data13)){if(data13.length>16){const err44={instancePath:instancePath+"/spec/templates",schemaPath:"#/properties/spec/properties/templ\
ates/maxItems",keyword:"maxItems",params:{limit:16}};vErrors===null?vErrors=[err44]:vErrors.push(err44),errors++}if(data13.length<1){const err45={instancePath:instancePath+
"/spec/templates",schemaPath:"#/properties/spec/properties/templates/minItems",keyword:"minItems",params:{limit:1}};vErrors===null?vErrors=[err45]:vErrors.push(
err45),errors++}const len2=data13.length;for(let i4=0;i4<len2;i4++){let data14=data13[i4];if(data14&&typeof data14=="object"&&!Array.isArray(data14)){if(data14.
role===void 0){const err46={instancePath:instancePath+"/spec/templates/"+i4,schemaPath:"#/properties/spec/properties/templates/items/required",keyword:"required",
params:{missingProperty:"role"}};vErrors===null?vErrors=[err46]:vErrors.push(err46),errors++}if(data14.path===void 0){const err47={instancePath:instancePath+"/s\
pec/templates/"+i4,schemaPath:"#/properties/spec/properties/templates/items/required",keyword:"required",params:{missingProperty:"path"}};vErrors===null?vErrors=
[err47]:vErrors.push(err47),errors++}if(data14.count===void 0){const err48={instancePath:instancePath+"/spec/templates/"+i4,schemaPath:"#/properties/spec/proper\
ties/templates/items/required",keyword:"required",params:{missingProperty:"count"}};vErrors===null?vErrors=[err48]:vErrors.push(err48),errors++}for(const key3 in data14)
if(!func1.call(schema35.properties.spec.properties.templates.items.properties,key3)){const err49={instancePath:instancePath+"/spec/templates/"+i4,schemaPath:"#/\
properties/spec/properties/templates/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key3}};vErrors===null?vErrors=[err49]:
vErrors.push(err49),errors++}if(data14.role!==void 0){let data15=data14.role;if(typeof data15=="string"){if(data15.length>63){const err50={instancePath:instancePath+
"/spec/templates/"+i4+"/role",schemaPath:"#/properties/spec/properties/templates/items/properties/role/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===
null?vErrors=[err50]:vErrors.push(err50),errors++}if(!pattern23.test(data15)){const err51={instancePath:instancePath+"/spec/templates/"+i4+"/role",schemaPath:"#\
/properties/spec/properties/templates/items/properties/role/pattern",keyword:"pattern",params:{pattern:"^[A-Za-z0-9]([-A-Za-z0-9]*[A-Za-z0-9])?$"}};vErrors===null?
vErrors=[err51]:vErrors.push(err51),errors++}}else{const err52={instancePath:instancePath+"/spec/templates/"+i4+"/role",schemaPath:"#/properties/spec/properties\
/templates/items/properties/role/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err52]:vErrors.push(err52),errors++}}if(data14.path!==void 0){
let data16=data14.path;if(typeof data16=="string"){if(data16.length>500){const err53={instancePath:instancePath+"/spec/templates/"+i4+"/path",schemaPath:"#/prop\
erties/spec/properties/templates/items/properties/path/maxLength",keyword:"maxLength",params:{limit:500}};vErrors===null?vErrors=[err53]:vErrors.push(err53),errors++}
if(data16.length<1){const err54={instancePath:instancePath+"/spec/templates/"+i4+"/path",schemaPath:"#/properties/spec/properties/templates/items/properties/pat\
h/minLength",keyword:"minLength",params:{limit:1}};vErrors===null?vErrors=[err54]:vErrors.push(err54),errors++}}else{const err55={instancePath:instancePath+"/sp\
ec/templates/"+i4+"/path",schemaPath:"#/properties/spec/properties/templates/items/properties/path/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=
[err55]:vErrors.push(err55),errors++}}if(data14.shape!==void 0){let data17=data14.shape;if(typeof data17!="string"){const err56={instancePath:instancePath+"/spe\
c/templates/"+i4+"/shape",schemaPath:"#/properties/spec/properties/templates/items/properties/shape/type",keyword:"type",params:{type:"string"}};vErrors===null?
vErrors=[err56]:vErrors.push(err56),errors++}if(!(data17==="Pod"||data17==="PodTemplateSpec"||data17==="PodSpec"||data17==="inline")){const err57={instancePath:instancePath+
"/spec/templates/"+i4+"/shape",schemaPath:"#/properties/spec/properties/templates/items/properties/shape/enum",keyword:"enum",params:{allowedValues:schema35.properties.
spec.properties.templates.items.properties.shape.enum}};vErrors===null?vErrors=[err57]:vErrors.push(err57),errors++}}if(data14.count!==void 0){let data18=data14.
count;if(typeof data18=="string"){if(data18.length>2e3){const err58={instancePath:instancePath+"/spec/templates/"+i4+"/count",schemaPath:"#/properties/spec/prop\
erties/templates/items/properties/count/maxLength",keyword:"maxLength",params:{limit:2e3}};vErrors===null?vErrors=[err58]:vErrors.push(err58),errors++}if(data18.
length<1){const err59={instancePath:instancePath+"/spec/templates/"+i4+"/count",schemaPath:"#/properties/spec/properties/templates/items/properties/count/minLen\
gth",keyword:"minLength",params:{limit:1}};vErrors===null?vErrors=[err59]:vErrors.push(err59),errors++}}else{const err60={instancePath:instancePath+"/spec/templ\
ates/"+i4+"/count",schemaPath:"#/properties/spec/properties/templates/items/properties/count/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=
[err60]:vErrors.push(err60),errors++}}if(data14.minimum!==void 0){let data19=data14.minimum;if(typeof data19=="string"){if(data19.length>2e3){const err61={instancePath:instancePath+
"/spec/templates/"+i4+"/minimum",schemaPath:"#/properties/spec/properties/templates/items/properties/minimum/maxLength",keyword:"maxLength",params:{limit:2e3}};
vErrors===null?vErrors=[err61]:vErrors.push(err61),errors++}if(data19.length<1){const err62={instancePath:instancePath+"/spec/templates/"+i4+"/minimum",schemaPath:"\
#/properties/spec/properties/templates/items/properties/minimum/minLength",keyword:"minLength",params:{limit:1}};vErrors===null?vErrors=[err62]:vErrors.push(err62),
errors++}}else{const err63={instancePath:instancePath+"/spec/templates/"+i4+"/minimum",schemaPath:"#/properties/spec/properties/templates/items/properties/minim\
um/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err63]:vErrors.push(err63),errors++}}if(data14.peak!==void 0){let data20=data14.peak;if(typeof data20==
"string"){if(data20.length>2e3){const err64={instancePath:instancePath+"/spec/templates/"+i4+"/peak",schemaPath:"#/properties/spec/properties/templates/items/pr\
operties/peak/maxLength",keyword:"maxLength",params:{limit:2e3}};vErrors===null?vErrors=[err64]:vErrors.push(err64),errors++}if(data20.length<1){const err65={instancePath:instancePath+
"/spec/templates/"+i4+"/peak",schemaPath:"#/properties/spec/properties/templates/items/properties/peak/minLength",keyword:"minLength",params:{limit:1}};vErrors===
null?vErrors=[err65]:vErrors.push(err65),errors++}}else{const err66={instancePath:instancePath+"/spec/templates/"+i4+"/peak",schemaPath:"#/properties/spec/prope\
rties/templates/items/properties/peak/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err66]:vErrors.push(err66),errors++}}if(data14.name!==
void 0){let data21=data14.name;if(typeof data21=="string"){if(data21.length>2e3){const err67={instancePath:instancePath+"/spec/templates/"+i4+"/name",schemaPath:"\
#/properties/spec/properties/templates/items/properties/name/maxLength",keyword:"maxLength",params:{limit:2e3}};vErrors===null?vErrors=[err67]:vErrors.push(err67),
errors++}if(data21.length<1){const err68={instancePath:instancePath+"/spec/templates/"+i4+"/name",schemaPath:"#/properties/spec/properties/templates/items/prope\
rties/name/minLength",keyword:"minLength",params:{limit:1}};vErrors===null?vErrors=[err68]:vErrors.push(err68),errors++}}else{const err69={instancePath:instancePath+
"/spec/templates/"+i4+"/name",schemaPath:"#/properties/spec/properties/templates/items/properties/name/type",keyword:"type",params:{type:"string"}};vErrors===null?
vErrors=[err69]:vErrors.push(err69),errors++}}if(data14.base!==void 0){let data22=data14.base;if(typeof data22=="string"){if(data22.length>500){const err70={instancePath:instancePath+
"/spec/templates/"+i4+"/base",schemaPath:"#/properties/spec/properties/templates/items/properties/base/maxLength",keyword:"maxLength",params:{limit:500}};vErrors===
null?vErrors=[err70]:vErrors.push(err70),errors++}if(data22.length<1){const err71={instancePath:instancePath+"/spec/templates/"+i4+"/base",schemaPath:"#/propert\
ies/spec/properties/templates/items/properties/base/minLength",keyword:"minLength",params:{limit:1}};vErrors===null?vErrors=[err71]:vErrors.push(err71),errors++}}else{
const err72={instancePath:instancePath+"/spec/templates/"+i4+"/base",schemaPath:"#/properties/spec/properties/templates/items/properties/base/type",keyword:"typ\
e",params:{type:"string"}};vErrors===null?vErrors=[err72]:vErrors.push(err72),errors++}}if(data14.when!==void 0){let data23=data14.when;if(typeof data23=="strin\
g"){if(data23.length>2e3){const err73={instancePath:instancePath+"/spec/templates/"+i4+"/when",schemaPath:"#/properties/spec/properties/templates/items/properti\
es/when/maxLength",keyword:"maxLength",params:{limit:2e3}};vErrors===null?vErrors=[err73]:vErrors.push(err73),errors++}if(data23.length<1){const err74={instancePath:instancePath+
"/spec/templates/"+i4+"/when",schemaPath:"#/properties/spec/properties/templates/items/properties/when/minLength",keyword:"minLength",params:{limit:1}};vErrors===
null?vErrors=[err74]:vErrors.push(err74),errors++}}else{const err75={instancePath:instancePath+"/spec/templates/"+i4+"/when",schemaPath:"#/properties/spec/prope\
rties/templates/items/properties/when/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err75]:vErrors.push(err75),errors++}}if(data14.optional!==
void 0&&typeof data14.optional!="boolean"){const err76={instancePath:instancePath+"/spec/templates/"+i4+"/optional",schemaPath:"#/properties/spec/properties/tem\
plates/items/properties/optional/type",keyword:"type",params:{type:"boolean"}};vErrors===null?vErrors=[err76]:vErrors.push(err76),errors++}if(data14.absentMeansNone!==
void 0&&typeof data14.absentMeansNone!="boolean"){const err77={instancePath:instancePath+"/spec/templates/"+i4+"/absentMeansNone",schemaPath:"#/properties/spec/\
properties/templates/items/properties/absentMeansNone/type",keyword:"type",params:{type:"boolean"}};vErrors===null?vErrors=[err77]:vErrors.push(err77),errors++}
if(data14.labels!==void 0){let data26=data14.labels;if(typeof data26!="string"&&data26!==null){const err78={instancePath:instancePath+"/spec/templates/"+i4+"/la\
bels",schemaPath:"#/properties/spec/properties/templates/items/properties/labels/type",keyword:"type",params:{type:schema35.properties.spec.properties.templates.
items.properties.labels.type}};vErrors===null?vErrors=[err78]:vErrors.push(err78),errors++}if(typeof data26=="string"&&data26.length>500){const err79={instancePath:instancePath+
"/spec/templates/"+i4+"/labels",schemaPath:"#/properties/spec/properties/templates/items/properties/labels/maxLength",keyword:"maxLength",params:{limit:500}};vErrors===
null?vErrors=[err79]:vErrors.push(err79),errors++}}if(data14.annotations!==void 0){let data27=data14.annotations;if(typeof data27!="string"&&data27!==null){const err80={
instancePath:instancePath+"/spec/templates/"+i4+"/annotations",schemaPath:"#/properties/spec/properties/templates/items/properties/annotations/type",keyword:"ty\
pe",params:{type:schema35.properties.spec.properties.templates.items.properties.annotations.type}};vErrors===null?vErrors=[err80]:vErrors.push(err80),errors++}if(typeof data27==
"string"&&data27.length>500){const err81={instancePath:instancePath+"/spec/templates/"+i4+"/annotations",schemaPath:"#/properties/spec/properties/templates/item\
s/properties/annotations/maxLength",keyword:"maxLength",params:{limit:500}};vErrors===null?vErrors=[err81]:vErrors.push(err81),errors++}}if(data14.fields!==void 0){
let data28=data14.fields;if(data28&&typeof data28=="object"&&!Array.isArray(data28)){for(const key4 in data28)if(!func1.call(schema35.properties.spec.properties.
templates.items.properties.fields.properties,key4)){const err82={instancePath:instancePath+"/spec/templates/"+i4+"/fields",schemaPath:"#/properties/spec/propert\
ies/templates/items/properties/fields/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key4}};vErrors===null?vErrors=[err82]:vErrors.
push(err82),errors++}if(data28.labels!==void 0){let data29=data28.labels;if(typeof data29!="string"&&data29!==null){const err83={instancePath:instancePath+"/spe\
c/templates/"+i4+"/fields/labels",schemaPath:"#/properties/spec/properties/templates/items/properties/fields/properties/labels/type",keyword:"type",params:{type:schema35.
properties.spec.properties.templates.items.properties.fields.properties.labels.type}};vErrors===null?vErrors=[err83]:vErrors.push(err83),errors++}if(typeof data29==
"string"&&data29.length>500){const err84={instancePath:instancePath+"/spec/templates/"+i4+"/fields/labels",schemaPath:"#/properties/spec/properties/templates/it\
ems/properties/fields/properties/labels/maxLength",keyword:"maxLength",params:{limit:500}};vErrors===null?vErrors=[err84]:vErrors.push(err84),errors++}}if(data28.
annotations!==void 0){let data30=data28.annotations;if(typeof data30!="string"&&data30!==null){const err85={instancePath:instancePath+"/spec/templates/"+i4+"/fi\
elds/annotations",schemaPath:"#/properties/spec/properties/templates/items/properties/fields/properties/annotations/type",keyword:"type",params:{type:schema35.properties.
spec.properties.templates.items.properties.fields.properties.annotations.type}};vErrors===null?vErrors=[err85]:vErrors.push(err85),errors++}if(typeof data30=="s\
tring"&&data30.length>500){const err86={instancePath:instancePath+"/spec/templates/"+i4+"/fields/annotations",schemaPath:"#/properties/spec/properties/templates\
/items/properties/fields/properties/annotations/maxLength",keyword:"maxLength",params:{limit:500}};vErrors===null?vErrors=[err86]:vErrors.push(err86),errors++}}
if(data28.nodeSelector!==void 0){let data31=data28.nodeSelector;if(typeof data31!="string"&&data31!==null){const err87={instancePath:instancePath+"/spec/templat\
es/"+i4+"/fields/nodeSelector",schemaPath:"#/properties/spec/properties/templates/items/properties/fields/properties/nodeSelector/type",keyword:"type",params:{type:schema35.
properties.spec.properties.templates.items.properties.fields.properties.nodeSelector.type}};vErrors===null?vErrors=[err87]:vErrors.push(err87),errors++}if(typeof data31==
"string"&&data31.length>500){const err88={instancePath:instancePath+"/spec/templates/"+i4+"/fields/nodeSelector",schemaPath:"#/properties/spec/properties/templa\
tes/items/properties/fields/properties/nodeSelector/maxLength",keyword:"maxLength",params:{limit:500}};vErrors===null?vErrors=[err88]:vErrors.push(err88),errors++}}
if(data28.affinity!==void 0){let data32=data28.affinity;if(typeof data32!="string"&&data32!==null){const err89={instancePath:instancePath+"/spec/templates/"+i4+
"/fields/affinity",schemaPath:"#/properties/spec/properties/templates/items/properties/fields/properties/affinity/type",keyword:"type",params:{type:schema35.properties.
spec.properties.templates.items.properties.fields.properties.affinity.type}};vErrors===null?vErrors=[err89]:vErrors.push(err89),errors++}if(typeof data32=="stri\
ng"&&data32.length>500){const err90={instancePath:instancePath+"/spec/templates/"+i4+"/fields/affinity",schemaPath:"#/properties/spec/properties/templates/items\
/properties/fields/properties/affinity/maxLength",keyword:"maxLength",params:{limit:500}};vErrors===null?vErrors=[err90]:vErrors.push(err90),errors++}}if(data28.
tolerations!==void 0){let data33=data28.tolerations;if(typeof data33!="string"&&data33!==null){const err91={instancePath:instancePath+"/spec/templates/"+i4+"/fi\
elds/tolerations",schemaPath:"#/properties/spec/properties/templates/items/properties/fields/properties/tolerations/type",keyword:"type",params:{type:schema35.properties.
spec.properties.templates.items.properties.fields.properties.tolerations.type}};vErrors===null?vErrors=[err91]:vErrors.push(err91),errors++}if(typeof data33=="s\
tring"&&data33.length>500){const err92={instancePath:instancePath+"/spec/templates/"+i4+"/fields/tolerations",schemaPath:"#/properties/spec/properties/templates\
/items/properties/fields/properties/tolerations/maxLength",keyword:"maxLength",params:{limit:500}};vErrors===null?vErrors=[err92]:vErrors.push(err92),errors++}}
if(data28.topologySpreadConstraints!==void 0){let data34=data28.topologySpreadConstraints;if(typeof data34!="string"&&data34!==null){const err93={instancePath:instancePath+
"/spec/templates/"+i4+"/fields/topologySpreadConstraints",schemaPath:"#/properties/spec/properties/templates/items/properties/fields/properties/topologySpreadCo\
nstraints/type",keyword:"type",params:{type:schema35.properties.spec.properties.templates.items.properties.fields.properties.topologySpreadConstraints.type}};vErrors===
null?vErrors=[err93]:vErrors.push(err93),errors++}if(typeof data34=="string"&&data34.length>500){const err94={instancePath:instancePath+"/spec/templates/"+i4+"/\
fields/topologySpreadConstraints",schemaPath:"#/properties/spec/properties/templates/items/properties/fields/properties/topologySpreadConstraints/maxLength",keyword:"\
maxLength",params:{limit:500}};vErrors===null?vErrors=[err94]:vErrors.push(err94),errors++}}if(data28.resourceClaims!==void 0){let data35=data28.resourceClaims;
if(typeof data35!="string"&&data35!==null){const err95={instancePath:instancePath+"/spec/templates/"+i4+"/fields/resourceClaims",schemaPath:"#/properties/spec/p\
roperties/templates/items/properties/fields/properties/resourceClaims/type",keyword:"type",params:{type:schema35.properties.spec.properties.templates.items.properties.
fields.properties.resourceClaims.type}};vErrors===null?vErrors=[err95]:vErrors.push(err95),errors++}if(typeof data35=="string"&&data35.length>500){const err96={
instancePath:instancePath+"/spec/templates/"+i4+"/fields/resourceClaims",schemaPath:"#/properties/spec/properties/templates/items/properties/fields/properties/r\
esourceClaims/maxLength",keyword:"maxLength",params:{limit:500}};vErrors===null?vErrors=[err96]:vErrors.push(err96),errors++}}if(data28.containerResources!==void 0){
let data36=data28.containerResources;if(typeof data36!="string"&&data36!==null){const err97={instancePath:instancePath+"/spec/templates/"+i4+"/fields/containerR\
esources",schemaPath:"#/properties/spec/properties/templates/items/properties/fields/properties/containerResources/type",keyword:"type",params:{type:schema35.properties.
spec.properties.templates.items.properties.fields.properties.containerResources.type}};vErrors===null?vErrors=[err97]:vErrors.push(err97),errors++}if(typeof data36==
"string"&&data36.length>500){const err98={instancePath:instancePath+"/spec/templates/"+i4+"/fields/containerResources",schemaPath:"#/properties/spec/properties/\
templates/items/properties/fields/properties/containerResources/maxLength",keyword:"maxLength",params:{limit:500}};vErrors===null?vErrors=[err98]:vErrors.push(err98),
errors++}}if(data28.containerClaims!==void 0){let data37=data28.containerClaims;if(typeof data37!="string"&&data37!==null){const err99={instancePath:instancePath+
"/spec/templates/"+i4+"/fields/containerClaims",schemaPath:"#/properties/spec/properties/templates/items/properties/fields/properties/containerClaims/type",keyword:"\
type",params:{type:schema35.properties.spec.properties.templates.items.properties.fields.properties.containerClaims.type}};vErrors===null?vErrors=[err99]:vErrors.
push(err99),errors++}if(typeof data37=="string"&&data37.length>500){const err100={instancePath:instancePath+"/spec/templates/"+i4+"/fields/containerClaims",schemaPath:"\
#/properties/spec/properties/templates/items/properties/fields/properties/containerClaims/maxLength",keyword:"maxLength",params:{limit:500}};vErrors===null?vErrors=
[err100]:vErrors.push(err100),errors++}}if(data28.priorityClassName!==void 0){let data38=data28.priorityClassName;if(typeof data38!="string"&&data38!==null){const err101={
instancePath:instancePath+"/spec/templates/"+i4+"/fields/priorityClassName",schemaPath:"#/properties/spec/properties/templates/items/properties/fields/propertie\
s/priorityClassName/type",keyword:"type",params:{type:schema35.properties.spec.properties.templates.items.properties.fields.properties.priorityClassName.type}};
vErrors===null?vErrors=[err101]:vErrors.push(err101),errors++}if(typeof data38=="string"&&data38.length>500){const err102={instancePath:instancePath+"/spec/temp\
lates/"+i4+"/fields/priorityClassName",schemaPath:"#/properties/spec/properties/templates/items/properties/fields/properties/priorityClassName/maxLength",keyword:"\
maxLength",params:{limit:500}};vErrors===null?vErrors=[err102]:vErrors.push(err102),errors++}}if(data28.terminationGracePeriodSeconds!==void 0){let data39=data28.
terminationGracePeriodSeconds;if(typeof data39!="string"&&data39!==null){const err103={instancePath:instancePath+"/spec/templates/"+i4+"/fields/terminationGrace\
PeriodSeconds",schemaPath:"#/properties/spec/properties/templates/items/properties/fields/properties/terminationGracePeriodSeconds/type",keyword:"type",params:{
type:schema35.properties.spec.properties.templates.items.properties.fields.properties.terminationGracePeriodSeconds.type}};vErrors===null?vErrors=[err103]:vErrors.
push(err103),errors++}if(typeof data39=="string"&&data39.length>500){const err104={instancePath:instancePath+"/spec/templates/"+i4+"/fields/terminationGracePeri\
odSeconds",schemaPath:"#/properties/spec/properties/templates/items/properties/fields/properties/terminationGracePeriodSeconds/maxLength",keyword:"maxLength",params:{
limit:500}};vErrors===null?vErrors=[err104]:vErrors.push(err104),errors++}}if(data28.schedulingGroup!==void 0){let data40=data28.schedulingGroup;if(typeof data40!=
"string"&&data40!==null){const err105={instancePath:instancePath+"/spec/templates/"+i4+"/fields/schedulingGroup",schemaPath:"#/properties/spec/properties/templa\
tes/items/properties/fields/properties/schedulingGroup/type",keyword:"type",params:{type:schema35.properties.spec.properties.templates.items.properties.fields.properties.
schedulingGroup.type}};vErrors===null?vErrors=[err105]:vErrors.push(err105),errors++}if(typeof data40=="string"&&data40.length>500){const err106={instancePath:instancePath+
"/spec/templates/"+i4+"/fields/schedulingGroup",schemaPath:"#/properties/spec/properties/templates/items/properties/fields/properties/schedulingGroup/maxLength",
keyword:"maxLength",params:{limit:500}};vErrors===null?vErrors=[err106]:vErrors.push(err106),errors++}}}else{const err107={instancePath:instancePath+"/spec/temp\
lates/"+i4+"/fields",schemaPath:"#/properties/spec/properties/templates/items/properties/fields/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=
[err107]:vErrors.push(err107),errors++}}if(data14.outside!==void 0){let data41=data14.outside;if(data41&&typeof data41=="object"&&!Array.isArray(data41)){if(data41.
container===void 0){const err108={instancePath:instancePath+"/spec/templates/"+i4+"/outside",schemaPath:"#/properties/spec/properties/templates/items/properties\
/outside/required",keyword:"required",params:{missingProperty:"container"}};vErrors===null?vErrors=[err108]:vErrors.push(err108),errors++}for(const key5 in data41)
if(!(key5==="container"||key5==="cpu"||key5==="memory"||key5==="gpu"||key5==="dialect")){const err109={instancePath:instancePath+"/spec/templates/"+i4+"/outside",
schemaPath:"#/properties/spec/properties/templates/items/properties/outside/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key5}};
vErrors===null?vErrors=[err109]:vErrors.push(err109),errors++}if(data41.container!==void 0){let data42=data41.container;if(typeof data42=="string"){if(data42.length>
63){const err110={instancePath:instancePath+"/spec/templates/"+i4+"/outside/container",schemaPath:"#/properties/spec/properties/templates/items/properties/outsi\
de/properties/container/maxLength",keyword:"maxLength",params:{limit:63}};vErrors===null?vErrors=[err110]:vErrors.push(err110),errors++}if(data42.length<1){const err111={
instancePath:instancePath+"/spec/templates/"+i4+"/outside/container",schemaPath:"#/properties/spec/properties/templates/items/properties/outside/properties/cont\
ainer/minLength",keyword:"minLength",params:{limit:1}};vErrors===null?vErrors=[err111]:vErrors.push(err111),errors++}}else{const err112={instancePath:instancePath+
"/spec/templates/"+i4+"/outside/container",schemaPath:"#/properties/spec/properties/templates/items/properties/outside/properties/container/type",keyword:"type",
params:{type:"string"}};vErrors===null?vErrors=[err112]:vErrors.push(err112),errors++}}if(data41.cpu!==void 0){let data43=data41.cpu;if(typeof data43=="string"){
if(data43.length>500){const err113={instancePath:instancePath+"/spec/templates/"+i4+"/outside/cpu",schemaPath:"#/properties/spec/properties/templates/items/prop\
erties/outside/properties/cpu/maxLength",keyword:"maxLength",params:{limit:500}};vErrors===null?vErrors=[err113]:vErrors.push(err113),errors++}if(data43.length<
1){const err114={instancePath:instancePath+"/spec/templates/"+i4+"/outside/cpu",schemaPath:"#/properties/spec/properties/templates/items/properties/outside/prop\
erties/cpu/minLength",keyword:"minLength",params:{limit:1}};vErrors===null?vErrors=[err114]:vErrors.push(err114),errors++}}else{const err115={instancePath:instancePath+
"/spec/templates/"+i4+"/outside/cpu",schemaPath:"#/properties/spec/properties/templates/items/properties/outside/properties/cpu/type",keyword:"type",params:{type:"\
string"}};vErrors===null?vErrors=[err115]:vErrors.push(err115),errors++}}if(data41.memory!==void 0){let data44=data41.memory;if(typeof data44=="string"){if(data44.
length>500){const err116={instancePath:instancePath+"/spec/templates/"+i4+"/outside/memory",schemaPath:"#/properties/spec/properties/templates/items/properties/\
outside/properties/memory/maxLength",keyword:"maxLength",params:{limit:500}};vErrors===null?vErrors=[err116]:vErrors.push(err116),errors++}if(data44.length<1){const err117={
instancePath:instancePath+"/spec/templates/"+i4+"/outside/memory",schemaPath:"#/properties/spec/properties/templates/items/properties/outside/properties/memory/\
minLength",keyword:"minLength",params:{limit:1}};vErrors===null?vErrors=[err117]:vErrors.push(err117),errors++}}else{const err118={instancePath:instancePath+"/s\
pec/templates/"+i4+"/outside/memory",schemaPath:"#/properties/spec/properties/templates/items/properties/outside/properties/memory/type",keyword:"type",params:{
type:"string"}};vErrors===null?vErrors=[err118]:vErrors.push(err118),errors++}}if(data41.gpu!==void 0){let data45=data41.gpu;if(typeof data45=="string"){if(data45.
length>500){const err119={instancePath:instancePath+"/spec/templates/"+i4+"/outside/gpu",schemaPath:"#/properties/spec/properties/templates/items/properties/out\
side/properties/gpu/maxLength",keyword:"maxLength",params:{limit:500}};vErrors===null?vErrors=[err119]:vErrors.push(err119),errors++}if(data45.length<1){const err120={
instancePath:instancePath+"/spec/templates/"+i4+"/outside/gpu",schemaPath:"#/properties/spec/properties/templates/items/properties/outside/properties/gpu/minLen\
gth",keyword:"minLength",params:{limit:1}};vErrors===null?vErrors=[err120]:vErrors.push(err120),errors++}}else{const err121={instancePath:instancePath+"/spec/te\
mplates/"+i4+"/outside/gpu",schemaPath:"#/properties/spec/properties/templates/items/properties/outside/properties/gpu/type",keyword:"type",params:{type:"string"}};
vErrors===null?vErrors=[err121]:vErrors.push(err121),errors++}}if(data41.dialect!==void 0){let data46=data41.dialect;if(typeof data46!="string"){const err122={instancePath:instancePath+
"/spec/templates/"+i4+"/outside/dialect",schemaPath:"#/properties/spec/properties/templates/items/properties/outside/properties/dialect/type",keyword:"type",params:{
type:"string"}};vErrors===null?vErrors=[err122]:vErrors.push(err122),errors++}if(!(data46==="kubernetes"||data46==="jvm")){const err123={instancePath:instancePath+
"/spec/templates/"+i4+"/outside/dialect",schemaPath:"#/properties/spec/properties/templates/items/properties/outside/properties/dialect/enum",keyword:"enum",params:{
allowedValues:schema35.properties.spec.properties.templates.items.properties.outside.properties.dialect.enum}};vErrors===null?vErrors=[err123]:vErrors.push(err123),
errors++}}}else{const err124={instancePath:instancePath+"/spec/templates/"+i4+"/outside",schemaPath:"#/properties/spec/properties/templates/items/properties/out\
side/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err124]:vErrors.push(err124),errors++}}if(data14.interrupt!==void 0){let data47=data14.
interrupt;if(typeof data47!="string"){const err125={instancePath:instancePath+"/spec/templates/"+i4+"/interrupt",schemaPath:"#/properties/spec/properties/templa\
tes/items/properties/interrupt/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err125]:vErrors.push(err125),errors++}if(!(data47==="never"||
data47==="avoid"||data47==="allowed")){const err126={instancePath:instancePath+"/spec/templates/"+i4+"/interrupt",schemaPath:"#/properties/spec/properties/templ\
ates/items/properties/interrupt/enum",keyword:"enum",params:{allowedValues:schema35.properties.spec.properties.templates.items.properties.interrupt.enum}};vErrors===
null?vErrors=[err126]:vErrors.push(err126),errors++}}if(data14.groupSize!==void 0){let data48=data14.groupSize;if(typeof data48=="string"){if(data48.length>2e3){
const err127={instancePath:instancePath+"/spec/templates/"+i4+"/groupSize",schemaPath:"#/properties/spec/properties/templates/items/properties/groupSize/maxLeng\
th",keyword:"maxLength",params:{limit:2e3}};vErrors===null?vErrors=[err127]:vErrors.push(err127),errors++}if(data48.length<1){const err128={instancePath:instancePath+
"/spec/templates/"+i4+"/groupSize",schemaPath:"#/properties/spec/properties/templates/items/properties/groupSize/minLength",keyword:"minLength",params:{limit:1}};
vErrors===null?vErrors=[err128]:vErrors.push(err128),errors++}}else{const err129={instancePath:instancePath+"/spec/templates/"+i4+"/groupSize",schemaPath:"#/pro\
perties/spec/properties/templates/items/properties/groupSize/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err129]:vErrors.push(err129),errors++}}}else{
const err130={instancePath:instancePath+"/spec/templates/"+i4,schemaPath:"#/properties/spec/properties/templates/items/type",keyword:"type",params:{type:"object"}};
vErrors===null?vErrors=[err130]:vErrors.push(err130),errors++}}}else{const err131={instancePath:instancePath+"/spec/templates",schemaPath:"#/properties/spec/pro\
perties/templates/type",keyword:"type",params:{type:"array"}};vErrors===null?vErrors=[err131]:vErrors.push(err131),errors++}}if(data4.gangLabel!==void 0){let data49=data4.
gangLabel;if(typeof data49=="string"){if(data49.length>316){const err132={instancePath:instancePath+"/spec/gangLabel",schemaPath:"#/properties/spec/properties/g\
angLabel/maxLength",keyword:"maxLength",params:{limit:316}};vErrors===null?vErrors=[err132]:vErrors.push(err132),errors++}if(!pattern11.test(data49)){const err133={
instancePath:instancePath+"/spec/gangLabel",schemaPath:"#/properties/spec/properties/gangLabel/pattern",keyword:"pattern",params:{pattern:"^([a-z0-9]([-a-z0-9.]\
*[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$"}};vErrors===null?vErrors=[err133]:vErrors.push(err133),errors++}}else{const err134={instancePath:instancePath+
"/spec/gangLabel",schemaPath:"#/properties/spec/properties/gangLabel/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err134]:vErrors.push(err134),
errors++}}if(data4.suspend!==void 0){let data50=data4.suspend;if(typeof data50=="string"){if(data50.length>500){const err135={instancePath:instancePath+"/spec/s\
uspend",schemaPath:"#/properties/spec/properties/suspend/maxLength",keyword:"maxLength",params:{limit:500}};vErrors===null?vErrors=[err135]:vErrors.push(err135),
errors++}if(data50.length<1){const err136={instancePath:instancePath+"/spec/suspend",schemaPath:"#/properties/spec/properties/suspend/minLength",keyword:"minLen\
gth",params:{limit:1}};vErrors===null?vErrors=[err136]:vErrors.push(err136),errors++}}else{const err137={instancePath:instancePath+"/spec/suspend",schemaPath:"#\
/properties/spec/properties/suspend/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err137]:vErrors.push(err137),errors++}}if(data4.scale!==
void 0&&typeof data4.scale!="boolean"){const err138={instancePath:instancePath+"/spec/scale",schemaPath:"#/properties/spec/properties/scale/type",keyword:"type",
params:{type:"boolean"}};vErrors===null?vErrors=[err138]:vErrors.push(err138),errors++}if(data4.childAnnotations!==void 0){let data52=data4.childAnnotations;if(typeof data52==
"string"){if(data52.length>500){const err139={instancePath:instancePath+"/spec/childAnnotations",schemaPath:"#/properties/spec/properties/childAnnotations/maxLe\
ngth",keyword:"maxLength",params:{limit:500}};vErrors===null?vErrors=[err139]:vErrors.push(err139),errors++}if(data52.length<1){const err140={instancePath:instancePath+
"/spec/childAnnotations",schemaPath:"#/properties/spec/properties/childAnnotations/minLength",keyword:"minLength",params:{limit:1}};vErrors===null?vErrors=[err140]:
vErrors.push(err140),errors++}}else{const err141={instancePath:instancePath+"/spec/childAnnotations",schemaPath:"#/properties/spec/properties/childAnnotations/t\
ype",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err141]:vErrors.push(err141),errors++}}if(data4.mutability!==void 0){let data53=data4.mutability;
if(data53&&typeof data53=="object"&&!Array.isArray(data53)){if(data53.template===void 0){const err142={instancePath:instancePath+"/spec/mutability",schemaPath:"\
#/properties/spec/properties/mutability/required",keyword:"required",params:{missingProperty:"template"}};vErrors===null?vErrors=[err142]:vErrors.push(err142),errors++}
for(const key6 in data53)if(!(key6==="template"||key6==="except")){const err143={instancePath:instancePath+"/spec/mutability",schemaPath:"#/properties/spec/prop\
erties/mutability/additionalProperties",keyword:"additionalProperties",params:{additionalProperty:key6}};vErrors===null?vErrors=[err143]:vErrors.push(err143),errors++}
if(data53.template!==void 0){let data54=data53.template;if(typeof data54!="string"){const err144={instancePath:instancePath+"/spec/mutability/template",schemaPath:"\
#/properties/spec/properties/mutability/properties/template/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err144]:vErrors.push(err144),errors++}
if(!(data54==="always"||data54==="never"||data54==="suspended"||data54==="gated")){const err145={instancePath:instancePath+"/spec/mutability/template",schemaPath:"\
#/properties/spec/properties/mutability/properties/template/enum",keyword:"enum",params:{allowedValues:schema35.properties.spec.properties.mutability.properties.
template.enum}};vErrors===null?vErrors=[err145]:vErrors.push(err145),errors++}}if(data53.except!==void 0){let data55=data53.except;if(Array.isArray(data55)){if(data55.
length>256){const err146={instancePath:instancePath+"/spec/mutability/except",schemaPath:"#/properties/spec/properties/mutability/properties/except/maxItems",keyword:"\
maxItems",params:{limit:256}};vErrors===null?vErrors=[err146]:vErrors.push(err146),errors++}if(data55.length<0){const err147={instancePath:instancePath+"/spec/m\
utability/except",schemaPath:"#/properties/spec/properties/mutability/properties/except/minItems",keyword:"minItems",params:{limit:0}};vErrors===null?vErrors=[err147]:
vErrors.push(err147),errors++}const len3=data55.length;for(let i5=0;i5<len3;i5++){let data56=data55[i5];if(typeof data56!="string"){const err148={instancePath:instancePath+
"/spec/mutability/except/"+i5,schemaPath:"#/properties/spec/properties/mutability/properties/except/items/type",keyword:"type",params:{type:"string"}};vErrors===
null?vErrors=[err148]:vErrors.push(err148),errors++}if(!(data56==="labels"||data56==="annotations"||data56==="nodeSelector"||data56==="affinity"||data56==="tole\
rations"||data56==="topologySpreadConstraints"||data56==="resourceClaims"||data56==="containerResources"||data56==="containerClaims"||data56==="priorityClassNam\
e"||data56==="terminationGracePeriodSeconds"||data56==="schedulingGroup")){const err149={instancePath:instancePath+"/spec/mutability/except/"+i5,schemaPath:"#/p\
roperties/spec/properties/mutability/properties/except/items/enum",keyword:"enum",params:{allowedValues:schema35.properties.spec.properties.mutability.properties.
except.items.enum}};vErrors===null?vErrors=[err149]:vErrors.push(err149),errors++}}let i6=data55.length,j2;if(i6>1){const indices2={};for(;i6--;){let item2=data55[i6];
if(typeof item2=="string"){if(typeof indices2[item2]=="number"){j2=indices2[item2];const err150={instancePath:instancePath+"/spec/mutability/except",schemaPath:"\
#/properties/spec/properties/mutability/properties/except/uniqueItems",keyword:"uniqueItems",params:{i:i6,j:j2}};vErrors===null?vErrors=[err150]:vErrors.push(err150),
errors++;break}indices2[item2]=i6}}}}else{const err151={instancePath:instancePath+"/spec/mutability/except",schemaPath:"#/properties/spec/properties/mutability/\
properties/except/type",keyword:"type",params:{type:"array"}};vErrors===null?vErrors=[err151]:vErrors.push(err151),errors++}}}else{const err152={instancePath:instancePath+
"/spec/mutability",schemaPath:"#/properties/spec/properties/mutability/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err152]:vErrors.push(
err152),errors++}}if(data4.minimum!==void 0){let data57=data4.minimum;if(typeof data57=="string"){if(data57.length>2e3){const err153={instancePath:instancePath+
"/spec/minimum",schemaPath:"#/properties/spec/properties/minimum/maxLength",keyword:"maxLength",params:{limit:2e3}};vErrors===null?vErrors=[err153]:vErrors.push(
err153),errors++}if(data57.length<1){const err154={instancePath:instancePath+"/spec/minimum",schemaPath:"#/properties/spec/properties/minimum/minLength",keyword:"\
minLength",params:{limit:1}};vErrors===null?vErrors=[err154]:vErrors.push(err154),errors++}}else{const err155={instancePath:instancePath+"/spec/minimum",schemaPath:"\
#/properties/spec/properties/minimum/type",keyword:"type",params:{type:"string"}};vErrors===null?vErrors=[err155]:vErrors.push(err155),errors++}}if(data4.peak!==
void 0){let data58=data4.peak;if(typeof data58=="string"){if(data58.length>2e3){const err156={instancePath:instancePath+"/spec/peak",schemaPath:"#/properties/sp\
ec/properties/peak/maxLength",keyword:"maxLength",params:{limit:2e3}};vErrors===null?vErrors=[err156]:vErrors.push(err156),errors++}if(data58.length<1){const err157={
instancePath:instancePath+"/spec/peak",schemaPath:"#/properties/spec/properties/peak/minLength",keyword:"minLength",params:{limit:1}};vErrors===null?vErrors=[err157]:
vErrors.push(err157),errors++}}else{const err158={instancePath:instancePath+"/spec/peak",schemaPath:"#/properties/spec/properties/peak/type",keyword:"type",params:{
type:"string"}};vErrors===null?vErrors=[err158]:vErrors.push(err158),errors++}}}else{const err159={instancePath:instancePath+"/spec",schemaPath:"#/properties/sp\
ec/type",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err159]:vErrors.push(err159),errors++}}}else{const err160={instancePath,schemaPath:"#/ty\
pe",keyword:"type",params:{type:"object"}};vErrors===null?vErrors=[err160]:vErrors.push(err160),errors++}return validate89.errors=vErrors,errors===0}validate89.
evaluated={props:!0,dynamicProps:!1,dynamicItems:!1};export{AcceleratorClass,CapacityPool,Intent,Platform,TopologyLayout,WorkloadClass,WorkloadKind};
