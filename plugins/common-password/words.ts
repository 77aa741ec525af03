/** Common words of passwords, in lower case without accents, separated by white space. Compiled for this project. */
export const commonPasswordWords = `
password passwort passport passw0rd contrasena contrasenia senha clave claves claveclave secreto secreta secret
segredo admin administrador administrator administracion root guest usuario user usuarios invitado welcome
bienvenido bienvenida bemvindo login master default changeme letmein trustno access acceso entrar abrete sesamo
sesame opensesame test testing tester prueba pruebas ejemplo example temporal temp provisoria cambiar cambiame
nueva nuevo sistema system server servidor internet computer computadora compu windows linux ubuntu android iphone
samsung nokia motorola huawei xiaomi lenovo toshiba google gmail hotmail yahoo facebook instagram youtube twitter
whatsapp tiktok netflix spotify amazon microsoft office apple oracle cisco adobe photoshop minecraft fortnite
pokemon pikachu charizard digimon mario luigi zelda sonic nintendo playstation xbox tetris warcraft starcraft
counterstrike runescape habbo roblox matrix starwars skywalker vader jedi yoda gandalf frodo hobbit harrypotter
potter hogwarts batman superman spiderman ironman hulk wolverine xmen avengers marvel joker robin naruto sasuke
sakura goku vegeta dragonball onepiece simpson simpsons homer bart garfield snoopy scooby scoobydoo mickey minnie
donald pluto disney princess princesa princesita reina king queen reyna barbie kitty hellokitty tinkerbell
campanita stitch nemo shrek bambi simba qwerty qwert qwertyui qwertyuiop asdfgh asdf asdfghjk asdfghjkl asdfasdf
zxcvbn zxcv zxcvbnm qazwsx qazwsxedc wsxedc 1q2w3e 1q2w3e4r 1q2w3e4r5t q1w2e3 q1w2e3r4 q1w2e3r4t5 1qaz2wsx
1qaz2wsx3edc zaq12wsx zaq1zaq1 qaz123wsx qweasd qweasdzxc qwe123 asd123 zxc123 qwer1234 asdf1234 zxcv1234 1234qwer
123qwe 123qweasd 12qwaszx 1qazxsw2 poiuyt poiuytrewq lkjhgf lkjhgfdsa mnbvcx mnbvcxz abcdef abcdefg abcdefgh
abcd1234 abc123 abc12345 1a2b3c4d a1b2c3d4 a1s2d3f4 z1x2c3v4 aa123456 a1234567 a12345678 a123456789 q1234567
q12345678 1234567a 12345678a 123456789a 123abc 1234abcd 123456abc 12345abc abcabc abc aaa asdfg qwaszx qwedsa
zaqwsx pass1234 p455w0rd passpass pa55word love loveme lovely lover loveyou iloveyou iloveu teamo teamomucho
tequiero tequieromucho teextrano amor amore amores amorcito amormio miamor mivida vida micielo cielo carino corazon
corazones beso besos besitos abrazo forever siempre parasiempre juntos felicidad feliz felices happy happiness
alegria sonrisa smile beautiful hermosa hermoso linda lindo bonita bonito guapa guapo preciosa precioso chiquita
chiquito gorda gordo gordita gordito flaca flaco negra negro negrita negrito bebe bebita bebito baby babygirl
babyboy sweet sweetie sweetheart honey sugar angel angeles angelito angelita diablo diabla demonio demon devil
lucifer satan jesus jesucristo cristo jesuscristo dios dioses diosesamor diosmio diosteama padrenuestro virgen
virgenmaria espiritu santo santos bendicion bendiciones milagro milagros esperanza paz libertad gloria gracia
gracias jehova cristiano cristiana iglesia church heaven christ blessed faith grace freedom peace hope familia
family mifamilia mama mamita mami mimama papa papito papi mipapa mamaypapa hijo hijos hija hijas mishijos mihijo
mihija hermano hermana hermanos abuela abuelo abuelita abuelito nieto nieta tia tio primo prima esposo esposa novio
novia marido mujer hombre amiga amigo amigas amigos mejoresamigas bestfriend friend friends friendship amistad
mother father daddy mommy mummy sister brother brothers children maria mariajose mariana marianna mariela marina
mariel marisol maribel maricarmen marta martha marcela marcelo marcos marco martin martina martinez matias mateo
mauricio mauro maximiliano maximo maxi mercedes miguel miguelangel miriam monica moises montserrat micaela malena
manuel manuela margarita magdalena macarena maite mabel jose josefina joseluis josemaria josue juan juana
juancarlos juanjose juanpablo juanmanuel juanito juanita jorge joaquin joaquina jonathan julia julian juliana
julieta julio jacqueline javier jesica jessica jessi jimena johanna carlos carlitos carla carlota carmen carmela
carolina caro camila camilo candela cecilia celeste celia cesar claudia claudio clara cristian cristina christian
christina ana anita analia anabel andrea andres andreita antonio antonia antonella angela angelica alejandra
alejandro alberto alba aldo alexander alexandra alexis alex alfonso alfredo alicia alma alvaro amalia amanda amelia
agustin agustina adrian adriana aida ariel ariana ashley axel barbara beatriz belen benjamin benicio bernardo
bianca blanca brenda brian bruno bautista dalia daniel daniela danielito dario david debora delfina denis denise
diana diego dolores domingo eduardo edgar elena elias elisa elizabeth ema emanuel emilia emiliano emilio emma
enrique erica erika ernesto esteban estela estefania esther eugenia eva evelyn ezequiel fabian fabiana fabricio
facundo fatima federico felipe felix fernanda fernando fiorella flavia flor florencia francisca francisco franco
fabio gabriel gabriela gaston gerardo german gisela gonzalo graciela gregorio guadalupe guillermo guillermina
gustavo hector hernan horacio hugo humberto ignacio ines irene isabel isabella isidro ivan ivana karen karina karla
katherine katia kevin laura lautaro leandro leonardo leonel leticia lidia liliana lionel lorena lorenzo lourdes
lucas lucia luciana luciano lucila luis luisa luismiguel luz nahuel nancy natalia nathalia nestor nicolas nicole
noelia norma octavio olga omar oriana oscar pablo pamela paola patricia patricio paula paulina paulo pedro pilar
rafael ramiro ramon raquel raul rebeca renata ricardo roberto rocio rodrigo rodolfo rogelio romina ronald rosa
rosana rosario roxana ruben ruth salvador samuel sandra santiago santino sara sebastian sergio silvana silvia
silvina sofia soledad sonia stefania stella susana tamara tatiana teresa thiago tobias tomas valentin valentina
valeria vanesa vanessa vanina veronica vicente victor victoria virginia viviana walter wilson ximena yamila yanina
yesica yolanda zulma nacho pancho pepe paco pipo toto tito titi lulu lala lola lolo nena nene nano nico seba santi
rodri gonza fede fabi mica vale sofi luli flopi juanma michael michelle matthew jennifer joshua andrew anthony
thomas jordan justin robert william charlie charles george danielle samantha nicholas hannah jasmine melissa rachel
heather stephanie stephen steven richard patrick edward jackson johnson brandon austin taylor morgan harley maggie
buster ginger pepper cookie bailey tigger maverick phoenix hunter ranger killer summer winter spring autumn
sunshine moonlight starlight rainbow flower flowers butterfly dolphin dolphins dragon dragons monkey tiger panther
lion leon leoncito leona tigre pantera lobo lobito perro perrito gato gatito gatita caballo conejo oso osito
mariposa mariposas delfin aguila condor pajarito abeja hormiga pato gallo toro vaca rana sapo pez tortuga puma
jaguar elefante mono mosca luna lunita sol solcito soles estrella estrellas estrellita lucero universo mundo
holamundo planeta tierra fuego agua viento mar oceano playa verano invierno otono primavera lluvia nieve arcoiris
rosas rosita margaritas girasol flores florcita jardin bosque montana rio enero febrero marzo abril mayo junio
agosto septiembre setiembre octubre noviembre diciembre lunes martes miercoles jueves viernes sabado january
february march april june july august september october november december monday tuesday wednesday thursday friday
saturday sunday navidad reyes carnaval pascua cumple cumpleanos feliznavidad rojo azul verde amarillo naranja
violeta rosado blanco gris marron purple orange yellow green black white silver golden blue bluesky red pink futbol
football futbolista soccer baseball basketball basket hockey volleyball tennis tenis rugby golf golfer surf surfing
skate skateboard campeon campeones champion champions gol goleador pelota messi lionelmessi maradona diegomaradona
ronaldo cristianoronaldo ronaldinho neymar suarez luissuarez cavani forlan diegoforlan francescoli enzo kobe lebron
bryant nadal federer penarol manya carbonero nacional bolso bolsilludo nacionalcampeon defensor danubio cerro
riverplate river rivercampeon bocajuniors boca bostero racing independiente sanlorenzo huracan estudiantes newells
rosariocentral flamengo corinthians palmeiras gremio internacional vasco barcelona barca realmadrid madrid atletico
sevilla valencia chelsea arsenal liverpool manchester manutd juventus milan intermilan napoli bayern laceleste
lacelestecampeon vamosuruguay soyceleste maracana uruguay uruguayo uruguaya uruguayos uruguay2030 montevideo
montevideano canelones maldonado puntadeleste piriapolis rocha colonia salto paysandu rivera tacuarembo artigas
joseartigas durazno florida lavalleja minas soriano rionegro fraybentos cerrolargo melo treintaytres sanjose
laspiedras atlantida pocitos carrasco punta malvin cordon ciudadvieja rambla tabare mate yerba yerbamate asado
chivito tortafrita dulcedeleche candombe murga gaucho charrua charruas garracharrua oriental orientales patria
libertadomuerte argentina argentino buenosaires bsas cordoba mendoza brasil brazil saopaulo riodejaneiro
portoalegre chile paraguay asuncion peru lima bolivia colombia bogota venezuela caracas mexico cuba espana spain
italia italy francia france paris london londres newyork california america europa africa canada alemania germany
identidad identidaddigital gubuy guburuguay gobierno agesic estado ciudadano ciudadana cedula documento pasaporte
tramite tramites portal digital firma firmadigital bps dgi antel ancap ose ute abitab tuid redpagos brou ceibal
plancceibal udelar liceo escuela colegio facultad universidad hospital policia bombero militar ejercito intendencia
ministerio presidencia musica music musical guitar guitarra piano bateria rock rockandroll rocknroll metal
metallica ironmaiden slipknot nirvana linkinpark greenday blink eminem rammstein acdc beatles rolling rollingstones
pinkfloyd ledzeppelin gunsnroses bonjovi madonna shakira rihanna beyonce bieber justinbieber onedirection selena
ladygaga bts blackpink coldplay soda stereo sodastereo cerati gustavocerati charlygarcia spinetta losredondos
indiosolari redonditos ricota laberso larenga lavelapuerca notevagustar cuartetodenos jaimeroos zitarrosa cumbia
reggaeton salsa tango bachata rap hiphop daddyyankee badbunny anuel maluma chocolate caramelo helado pizza banana
manzana limon frutilla sandia melon cereza mango coco cocacola pepsi cafe coffee cerveza beer vino whisky vodka
tequila fernet galletita galleta torta pan queso peanut cheese chicken bacon butter pumpkin popcorn candy cupcake
cookies hacker hackers hacked ninja samurai shadow ghost monster zombie vampire vampiro alien warrior guerrero
soldado soldier gladiator gladiador spartan pirate pirata magic magica merlin mystery mustang ferrari porsche
mercedesbenz toyota honda yamaha suzuki kawasaki chevrolet ford fiat peugeot renault volkswagen harleydavidson
corvette camaro jeep nissan mitsubishi camion moto motos auto autos avion barco tren trains trabajo oficina empresa
negocio dinero plata money dollar dolares rico millonario millonaria suerte lucky lotto loteria casa micasa casita
hogar puerta ventana mesa silla libro libros papel lapiz telefono celular reloj llave llaves hola holahola
holaholahola hello helloworld hellohello buenosdias chau adios byebye goodbye nothing nada nadie todo whatever nose
nosenose nolose nomeacuerdo meolvide olvide olvidada super superstar star stars legend leyenda power powerful poder
fuerza fuerte energia energy turbo nitro thunder trueno lightning relampago storm tormenta diamond diamante
diamantes crystal cristal gold oro perla rubi esmeralda zafiro platinum titanium pussy fuckyou fuckoff fuckme
asshole bitch puta puto mierda carajo culo boludo pelotudo concha tumadre putamadre lapuraverdad porno sexo sexy
sexygirl hotgirl naughty playboy hooters boobs
`;
